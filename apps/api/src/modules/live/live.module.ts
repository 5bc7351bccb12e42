import type { Clock } from '@gantry/mcp-core';
import { type BeforeApplicationShutdown, Inject, Module } from '@nestjs/common';
import { ChangeLogFollower } from '../../infra/changes/change-log-follower.js';
import type { NodeChannel } from '../../infra/nodes/node-channel.js';
import { Metrics } from '../../infra/telemetry/metrics.js';
import { CLOCK, LOGGER, type Log, NODE_CHANNEL } from '../../infra/tokens.js';
import { CallsModule } from '../calls/calls.module.js';
import { RecentCalls } from '../calls/recent-calls.js';
import { JobsAdminService } from '../jobs/api/jobs-admin.service.js';
import { JobEvents } from '../jobs/job-events.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { PrincipalResolver } from '../keys/principal-resolver.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { NodeSelf } from '../nodes/node-self.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { LiveSessions } from '../sessions/view/live-sessions.js';
import { StatelessClients } from '../sessions/view/stateless-clients.js';
import { TraceRings } from '../sessions/view/trace-rings.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { TenantsService } from '../tenants/tenants.service.js';
import { Feeds } from './feeds.js';
import { LiveController } from './live.controller.js';
import { LiveHints } from './live-hints.js';
import { StreamAccess } from './stream-access.js';
import { Streams } from './streams.service.js';
import { WatchBoard } from './watch-board.js';

/** Live data for people, by event, over all nodes. */
@Module({
  imports: [NodesModule, TenantsModule, KeysModule, SessionsModule, CallsModule, JobsModule],
  controllers: [LiveController],
  providers: [
    {
      provide: WatchBoard,
      inject: [NODE_CHANNEL, CLOCK],
      useFactory: (channel: NodeChannel, clock: Clock) => new WatchBoard(channel, clock),
    },
    {
      provide: LiveHints,
      inject: [WatchBoard, TraceRings, StatelessClients, RecentCalls, JobEvents, NodeRegistry, NodeSelf, CLOCK],
      useFactory: (
        board: WatchBoard,
        rings: TraceRings,
        clients: StatelessClients,
        calls: RecentCalls,
        jobs: JobEvents,
        registry: NodeRegistry,
        self: NodeSelf,
        clock: Clock,
      ) => new LiveHints({ board, rings, clients, calls, jobs, registry, self, clock }),
    },
    {
      provide: Feeds,
      inject: [WatchBoard, CLOCK, LOGGER],
      useFactory: (board: WatchBoard, clock: Clock, log: Log) =>
        new Feeds(board, clock, (err) => log.warn({ err }, 'live data could not be gathered; it is tried again')),
    },
    {
      provide: StreamAccess,
      inject: [PrincipalResolver, TenantsService, LiveSessions, RecentCalls, JobsAdminService, NodeRegistry],
      useFactory: (
        principals: PrincipalResolver,
        tenants: TenantsService,
        live: LiveSessions,
        calls: RecentCalls,
        jobs: JobsAdminService,
        nodes: NodeRegistry,
      ) => new StreamAccess({ principals, tenants, live, calls, jobs, nodes }),
    },
    {
      provide: Streams,
      inject: [StreamAccess, Feeds, ChangeLogFollower, NodeSelf, CLOCK, LOGGER, Metrics],
      useFactory: (
        access: StreamAccess,
        feeds: Feeds,
        follower: ChangeLogFollower,
        self: NodeSelf,
        clock: Clock,
        log: Log,
        metrics: Metrics,
      ) => {
        const streams = new Streams({ access, feeds, follower, self, clock, log });
        metrics.gauge('live_streams', 'Live streams of people held open', () => streams.size);
        return streams;
      },
    },
  ],
})
export class LiveModule implements BeforeApplicationShutdown {
  constructor(
    @Inject(Streams) private readonly streams: Streams,
    @Inject(Feeds) private readonly feeds: Feeds,
    @Inject(LiveHints) private readonly hints: LiveHints,
    @Inject(WatchBoard) private readonly board: WatchBoard,
  ) {}

  beforeApplicationShutdown(): void {
    this.streams.stop();
    this.feeds.close();
    this.hints.close();
    this.board.close();
  }
}
