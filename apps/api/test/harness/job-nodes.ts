import { randomUUID } from 'node:crypto';
import {
  type CatalogueTool,
  DEFAULT_LIMITS,
  InMemoryChangeBus,
  InMemoryEventLog,
  InMemoryStateSealer,
  randomIds,
  systemClock,
} from '@gantry/mcp-core';
import { fixtureRunner, fixtureSnapshot, type JobsSubject } from '@gantry/mcp-core/testing';
import { HostedJobs } from '../../src/gateway/jobs/hosted-jobs.js';
import type { JobServers } from '../../src/gateway/jobs/job-servers.js';
import { ToolJobs } from '../../src/gateway/jobs/tool-jobs.js';
import { LoneNodeChannel } from '../../src/infra/nodes/lone-node-channel.js';
import { NodeCalls } from '../../src/infra/nodes/node-calls.js';
import { Admission } from '../../src/modules/jobs/admission/admission.js';
import { AdmissionRepository } from '../../src/modules/jobs/admission/admission.repository.js';
import { JobEvents } from '../../src/modules/jobs/job-events.js';
import { JobHandlers } from '../../src/modules/jobs/job-handlers.js';
import { type JobLimits, JobsService } from '../../src/modules/jobs/jobs.service.js';
import { JobRepository } from '../../src/modules/jobs/store/job.repository.js';
import { WorkerRepository } from '../../src/modules/jobs/store/worker.repository.js';
import type { JobTransport } from '../../src/modules/jobs/transport/job-transport.js';
import { JobWorker } from '../../src/modules/jobs/worker/job-worker.js';
import { LostJobs } from '../../src/modules/jobs/worker/lost-jobs.js';
import { serverKey } from '../../src/modules/tools/catalogue/snapshot.js';
import type { TestDatabase } from './database.js';

const LIMITS: JobLimits = { queuedJobs: 1_000, concurrentJobs: 50, jobRetentionMs: 60_000, idempotencyMs: 60_000 };
const SLOTS = 8;
const WORKER = 'worker';

/** A worker and two nodes that submit to it, in this process, on real rows and a real queue. */
export class JobNodes {
  readonly changes = new InMemoryChangeBus();
  readonly eventLog = new InMemoryEventLog(systemClock);
  readonly faults: unknown[] = [];
  private readonly snapshots = new Map<string, ReturnType<typeof fixtureSnapshot>>();
  private readonly handlers = new JobHandlers();
  private readonly events = new JobEvents((error) => void this.faults.push(error));
  private readonly repository: JobRepository;
  private readonly transports: JobTransport[] = [];
  private readonly calls = new NodeCalls({
    channel: new LoneNodeChannel(WORKER, (error) => void this.faults.push(error)),
    clock: systemClock,
    living: () => [],
    onFault: (error) => void this.faults.push(error),
  });
  private readonly worker: JobWorker;
  private readonly one: JobsService;
  private readonly two: JobsService;

  constructor(
    private readonly db: TestDatabase,
    private readonly makeTransport: (onFault: (error: unknown) => void) => JobTransport,
  ) {
    const { pool } = db;
    this.repository = new JobRepository(pool);
    this.events.on((job) => this.changes.publish(serverKey(job), { kind: 'task', id: job.id }));
    this.handlers.use(this.handler());
    [this.one, this.two] = [this.service(), this.service()];
    const log = { debug() {}, info() {}, warn() {}, error: (facts: object) => void this.faults.push(facts) };
    const transport = this.transport();
    const parts = {
      repository: this.repository,
      workers: new WorkerRepository(pool),
      admission: this.admission(transport),
      events: this.events,
      log: log as never,
      retentionMs: LIMITS.jobRetentionMs,
    };
    this.worker = new JobWorker({
      ...parts,
      node: WORKER,
      slots: SLOTS,
      transport,
      handler: this.handlers.required,
      lost: new LostJobs({ ...parts, handlers: this.handlers }),
      calls: this.calls,
      clock: systemClock,
    });
  }

  start(): Promise<void> {
    return this.worker.start();
  }

  async close(): Promise<void> {
    await this.worker.close(1_000);
    this.calls.close();
    await Promise.all(this.transports.map((transport) => transport.close()));
  }

  /** A tenant with two servers that offer these tools. */
  async subject(tools: readonly CatalogueTool[]): Promise<JobsSubject> {
    const tenantId = randomUUID();
    const tenant = 'INSERT INTO tenants (id, slug, name) VALUES ($1, $2, $2)';
    await this.db.superuser.query(tenant, [tenantId, `t-${tenantId.slice(0, 8)}`]);
    const [mine, other] = await Promise.all([this.server(tenantId, tools), this.server(tenantId, tools)]);
    const hosted = (service: JobsService, published: typeof mine) =>
      new HostedJobs(
        { service, nodeId: 'a-node', onFault: (error) => void this.faults.push(error) },
        published as never,
        LIMITS.concurrentJobs,
        'mcp',
      );
    return {
      jobs: hosted(this.one, mine),
      elsewhere: hosted(this.two, mine),
      changes: this.changes,
      eventLog: this.eventLog,
      server: serverKey(mine),
      snapshot: this.snapshots.get(mine.serverId) as ReturnType<typeof fixtureSnapshot>,
      otherServer: { server: serverKey(other), jobs: hosted(this.one, other) },
    };
  }

  private async server(tenantId: string, tools: readonly CatalogueTool[]) {
    const serverId = randomUUID();
    const serverSlug = `s-${serverId.slice(0, 8)}`;
    const server = `INSERT INTO servers (id, tenant_id, slug, document) VALUES ($1, $2, $3, '{}')`;
    await this.db.superuser.query(server, [serverId, tenantId, serverSlug]);
    this.snapshots.set(serverId, fixtureSnapshot(tools));
    return { tenantId, serverId, serverSlug, revision: 1, document: { name: serverSlug, tools: [] } };
  }

  private handler(): ToolJobs {
    const servers: Pick<JobServers, 'of'> = {
      of: async ({ serverId }) => this.snapshots.get(serverId) as ReturnType<typeof fixtureSnapshot>,
    };
    return new ToolJobs({
      servers: servers as JobServers,
      log: { record() {} },
      services: {
        runner: fixtureRunner,
        eventLog: this.eventLog,
        announce: (server, change) => this.changes.publish(server, change),
        stateSealer: new InMemoryStateSealer(),
        clock: systemClock,
        ids: randomIds,
        logger: { debug() {}, info() {}, warn() {}, error: (facts) => void this.faults.push(facts) },
        limits: { ...DEFAULT_LIMITS, resultLength: 1024 * 1024 },
      },
    });
  }

  private service(): JobsService {
    const transport = this.transport();
    return new JobsService({
      repository: this.repository,
      transport,
      admission: this.admission(transport),
      events: this.events,
      calls: this.calls,
      handlers: this.handlers,
      limits: LIMITS,
      onFault: (error) => void this.faults.push(error),
    });
  }

  private admission(transport: JobTransport): Admission {
    return new Admission({
      repository: new AdmissionRepository(this.db.pool),
      transport,
      concurrent: LIMITS.concurrentJobs,
      moved: () => {},
      onFault: (error) => void this.faults.push(error),
    });
  }

  private transport(): JobTransport {
    const transport = this.makeTransport((error) => void this.faults.push(error));
    this.transports.push(transport);
    return transport;
  }
}
