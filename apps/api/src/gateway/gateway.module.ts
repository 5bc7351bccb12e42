import type { ChangeBus, Clock, JobServices } from '@gantry/mcp-core';
import {
  createMcpEndpoint,
  DEFAULT_LIMITS,
  InMemoryChangeBus,
  InMemoryEventLog,
  isJobOver,
  McpEndpoint,
  randomIds,
} from '@gantry/mcp-core';
import { type BeforeApplicationShutdown, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HostCheck } from '../common/http/host-check.js';
import type { AppConfig } from '../config/app-config.js';
import type { AnnouncedRevisions } from '../infra/changes/announced-revisions.js';
import { ChangeLogFollower } from '../infra/changes/change-log-follower.js';
import { InMemoryAnnouncedRevisions } from '../infra/changes/in-memory-announced-revisions.js';
import { RedisAnnouncedRevisions } from '../infra/changes/redis-announced-revisions.js';
import { MasterKeys, Sealer } from '../infra/crypto/index.js';
import type { RedisClients } from '../infra/redis/redis-clients.js';
import { Metrics } from '../infra/telemetry/metrics.js';
import { APP_CONFIG, CLOCK, LOGGER, type Log, NODE_ID, REDIS } from '../infra/tokens.js';
import { AuditModule } from '../modules/audit/audit.module.js';
import { CallLog } from '../modules/calls/call-log.js';
import { CallsModule } from '../modules/calls/calls.module.js';
import { JobEvents } from '../modules/jobs/job-events.js';
import { JobHandlers } from '../modules/jobs/job-handlers.js';
import { JobsModule } from '../modules/jobs/jobs.module.js';
import { JobsService } from '../modules/jobs/jobs.service.js';
import { JobsRuntime } from '../modules/jobs/jobs-runtime.js';
import { KeysModule } from '../modules/keys/keys.module.js';
import { KeysService } from '../modules/keys/keys.service.js';
import { PrincipalResolver } from '../modules/keys/principal-resolver.js';
import { NodeSelf } from '../modules/nodes/node-self.js';
import { NodesModule } from '../modules/nodes/nodes.module.js';
import { ServersModule } from '../modules/servers/servers.module.js';
import { ServersService } from '../modules/servers/servers.service.js';
import { SESSION_PORTS, type SessionPorts } from '../modules/sessions/session-ports.js';
import { SessionPortsModule } from '../modules/sessions/session-ports.module.js';
import { SessionsModule } from '../modules/sessions/sessions.module.js';
import { NodeSessions } from '../modules/sessions/view/node-sessions.js';
import { StatelessClients } from '../modules/sessions/view/stateless-clients.js';
import { TraceRings } from '../modules/sessions/view/trace-rings.js';
import { TenantsModule } from '../modules/tenants/tenants.module.js';
import { TenantsService } from '../modules/tenants/tenants.service.js';
import { CatalogueModule } from '../modules/tools/catalogue/catalogue.module.js';
import { HostedServers } from '../modules/tools/catalogue/hosted-servers.js';
import { serverKey } from '../modules/tools/catalogue/snapshot.js';
import { CodeRunner } from '../modules/tools/runners/code/index.js';
import { Runners } from '../modules/tools/runners/runners.js';
import { RunnersModule } from '../modules/tools/runners/runners.module.js';
import { CALL_LIMITS, type CallLimits } from '../modules/usage/call-limits.js';
import { LISTEN_LIMITS, type ListenLimits } from '../modules/usage/listen-limits.js';
import { UsageModule } from '../modules/usage/usage.module.js';
import { ChangeAnnouncer } from './change-announcer.js';
import { JobServers } from './jobs/job-servers.js';
import { ToolJobs } from './jobs/tool-jobs.js';
import { McpGateway } from './mcp-gateway.js';
import { NotifyController } from './notify.controller.js';
import { NotifyService } from './notify.service.js';
import { PlaygroundController } from './playground.controller.js';
import { PlaygroundService } from './playground.service.js';
import { RequestStateSealer } from './request-state-sealer.js';
import type { ServingParts } from './serving.js';
import { Servings } from './servings.js';
import { SessionAnnouncer } from './session-announcer.js';
import { TryController } from './try.controller.js';
import { TryRuns } from './try-runs.js';

export const SERVING_PARTS = Symbol('ServingParts');
const CORE_PORTS = Symbol('CorePorts');

/** What serving clients and running jobs stand on together. */
type CorePorts = SessionPorts &
  Pick<JobServices, 'eventLog' | 'stateSealer' | 'limits'> & { readonly changeBus: ChangeBus };
const ANNOUNCED_REVISIONS = Symbol('AnnouncedRevisions');

/** Joins mcp-core with what serves it: catalogue, runners, limits, call log. */
@Module({
  imports: [
    AuditModule,
    CatalogueModule,
    RunnersModule,
    ServersModule,
    KeysModule,
    UsageModule,
    CallsModule,
    NodesModule,
    SessionPortsModule,
    SessionsModule,
    JobsModule,
    TenantsModule,
  ],
  controllers: [TryController, PlaygroundController, NotifyController],
  providers: [
    TryRuns,
    PlaygroundService,
    {
      provide: CORE_PORTS,
      inject: [APP_CONFIG, CLOCK, SESSION_PORTS],
      useFactory: ({ limits, masterKey }: AppConfig, clock: Clock, sessionPorts: SessionPorts): CorePorts => ({
        ...sessionPorts,
        eventLog: sessionPorts.eventLog ?? new InMemoryEventLog(clock),
        changeBus: sessionPorts.changeBus ?? new InMemoryChangeBus(),
        stateSealer: new RequestStateSealer(new Sealer(new MasterKeys(masterKey).subkey('request-state'))),
        limits: {
          ...DEFAULT_LIMITS,
          jsonDepth: limits.jsonDepth,
          queuedBytes: limits.slowReaderBytes,
          resultLength: limits.resultBytes,
        },
      }),
    },
    NotifyService,
    {
      provide: McpEndpoint,
      inject: [CLOCK, LOGGER, NODE_ID, CORE_PORTS, TraceRings],
      useFactory: (clock: Clock, logger: Log, nodeId: string, ports: CorePorts, tracer: TraceRings) =>
        createMcpEndpoint({ ...ports, tracer, nodeId, clock, logger }),
    },
    {
      provide: ToolJobs,
      inject: [
        CORE_PORTS,
        McpEndpoint,
        Runners,
        CallLog,
        ServersService,
        TenantsService,
        ChangeLogFollower,
        CLOCK,
        LOGGER,
      ],
      useFactory: (
        ports: CorePorts,
        endpoint: McpEndpoint,
        runner: Runners,
        log: CallLog,
        servers: ServersService,
        tenants: TenantsService,
        follower: ChangeLogFollower,
        clock: Clock,
        logger: Log,
      ) =>
        new ToolJobs({
          servers: new JobServers(servers, tenants, follower),
          log,
          services: {
            runner,
            ...ports,
            clock,
            logger,
            ids: randomIds,
            announce: (server, change, settings) =>
              void endpoint
                .changed(server, change, settings)
                .catch((err) => logger.warn({ err }, 'a change that a job announced could not be told')),
          },
        }),
    },
    {
      provide: SERVING_PARTS,
      inject: [
        Runners,
        CALL_LIMITS,
        LISTEN_LIMITS,
        CallLog,
        Metrics,
        CLOCK,
        StatelessClients,
        JobsService,
        NODE_ID,
        LOGGER,
      ],
      useFactory: (
        runner: Runners,
        calls: CallLimits,
        listens: ListenLimits,
        log: CallLog,
        metrics: Metrics,
        clock: Clock,
        clients: StatelessClients,
        service: JobsService,
        nodeId: string,
        logger: Log,
      ): ServingParts => ({
        jobs: { service, nodeId, onFault: (err) => logger.warn({ err }, 'a call could not be cancelled') },
        runner,
        promptRunner: runner,
        resourceRunner: runner,
        calls,
        listens,
        log,
        observe: (record) => metrics.observe(record),
        clients,
        now: () => clock.now(),
      }),
    },
    {
      provide: ANNOUNCED_REVISIONS,
      inject: [CLOCK, { token: REDIS, optional: true }],
      useFactory: (clock: Clock, redis: RedisClients | undefined): AnnouncedRevisions =>
        redis === undefined ? new InMemoryAnnouncedRevisions(clock) : new RedisAnnouncedRevisions(redis.commands),
    },
    {
      provide: Servings,
      inject: [APP_CONFIG, SERVING_PARTS],
      useFactory: (config: AppConfig, parts: ServingParts) => new Servings(config.publicUrl, config.limits, parts),
    },
    {
      provide: McpGateway,
      inject: [APP_CONFIG, LOGGER, HostedServers, Servings, McpEndpoint, PrincipalResolver],
      useFactory: (
        config: AppConfig,
        log: Log,
        servers: HostedServers,
        servings: Servings,
        endpoint: McpEndpoint,
        principals: PrincipalResolver,
      ) =>
        new McpGateway({
          servers,
          servings,
          endpoint,
          hosts: new HostCheck(config.allowedHosts),
          allowedOrigins: config.allowedOrigins,
          bodyBytes: config.limits.bodyBytes,
          publicPath: new URL(config.publicUrl).pathname.replace(/\/$/, ''),
          resolve: (authorization, address) => principals.resolveAtEndpoint(authorization, address),
          onFault: (err) => log.error({ err }, 'an MCP request could not be served'),
        }),
    },
  ],
  exports: [McpGateway, McpEndpoint],
})
export class GatewayModule implements OnModuleInit, BeforeApplicationShutdown {
  private stopFollowing: (() => void) | undefined;

  constructor(
    @Inject(McpEndpoint) private readonly endpoint: McpEndpoint,
    @Inject(HostedServers) private readonly servers: HostedServers,
    @Inject(ChangeLogFollower) private readonly follower: ChangeLogFollower,
    @Inject(KeysService) private readonly keys: KeysService,
    @Inject(ServersService) private readonly catalogue: ServersService,
    @Inject(ANNOUNCED_REVISIONS) private readonly revisions: AnnouncedRevisions,
    @Inject(NODE_ID) private readonly nodeId: string,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(CodeRunner) private readonly code: CodeRunner,
    @Inject(NodeSelf) private readonly self: NodeSelf,
    @Inject(NodeSessions) private readonly sessions: NodeSessions,
    @Inject(JobsRuntime) private readonly jobs: JobsRuntime,
    @Inject(JobHandlers) private readonly handlers: JobHandlers,
    @Inject(JobEvents) private readonly jobEvents: JobEvents,
    @Inject(ToolJobs) private readonly toolJobs: ToolJobs,
    @Inject(CORE_PORTS) private readonly ports: CorePorts,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Log,
  ) {}

  onModuleInit(): void {
    const { catalogue } = this;
    this.handlers.use(this.toolJobs);
    this.jobEvents.on((job) => {
      // A call is followed on its stream; what is waited for is its end, by calls under the same idempotency key.
      if (job.face === 'task' || (job.idempotencyKey !== undefined && isJobOver(job.status)))
        this.ports.changeBus.publish(serverKey(job), { kind: 'task', id: job.id });
    });
    this.sessions.serve(this.endpoint);
    const document = (tenantId: string, serverId: string, revision: number) =>
      catalogue.revisionDocument(tenantId, serverId, revision);
    const announcer = new ChangeAnnouncer({
      servers: this.servers,
      endpoint: this.endpoint,
      sessions: new SessionAnnouncer({
        nodeId: this.nodeId,
        endpoint: this.endpoint,
        revisions: this.revisions,
        document,
        clock: this.clock,
      }),
      published: (tenantId, slug) => catalogue.publishedRevision(tenantId, slug),
      document,
      keyStands: (tenantId, id) => this.keys.stands(tenantId, id),
      onFault: (err) => this.log.error({ err }, 'a change could not be announced to clients'),
      clock: this.clock,
    });
    this.stopFollowing = announcer.follow(this.follower);
    const { endpoint, code, metrics, self } = this;
    self.reports(() => ({ ...endpoint.load, sessions: endpoint.sessionsHere }));
    self.onDrain((drained) => {
      if (drained) endpoint.sendAway();
      else endpoint.takeStreams();
      this.jobs.rest(drained);
    });
    metrics.gauge('jobs_running', 'Jobs running on this node', () => this.jobs.active);
    metrics.gauge('mcp_in_flight', 'MCP requests running', () => endpoint.load.inFlight);
    metrics.gauge('mcp_streams', 'Streams of sessions held open', () => endpoint.load.streams);
    metrics.gauge('mcp_listens', 'Listen streams held open', () => endpoint.load.listens);
    metrics.gauge('sandbox_running', 'Calls running in sandboxes', () => code.stats().running);
    metrics.gauge('sandbox_queued', 'Calls waiting for a sandbox', () => code.stats().queued);
    metrics.gauge('sandbox_killed', 'Sandbox processes killed or lost since the start', () => code.stats().killed);
  }

  /** Before anything else ends: streams are told, running calls get their grace. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopFollowing?.();
    const { shutdownGraceMs: graceMs } = this.config;
    // Side by side: calls may wait for jobs of this very process.
    await Promise.all([this.endpoint.close({ graceMs }), this.jobs.close(graceMs)]);
  }
}
