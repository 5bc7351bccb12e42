import type { Clock, LiveNodes } from '@gantry/mcp-core';
import { Inject, Module, type OnApplicationShutdown, Optional } from '@nestjs/common';
import type { NodeChannel } from '../../infra/nodes/node-channel.js';
import type { RedisClients } from '../../infra/redis/redis-clients.js';
import { Metrics } from '../../infra/telemetry/metrics.js';
import { CLOCK, LIVE_NODES, LOGGER, type Log, NODE_CHANNEL, REDIS } from '../../infra/tokens.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { ChannelNodeBus } from './buses/channel-node-bus.js';
import { RedisChangeBus } from './buses/redis-change-bus.js';
import { logMeterOf } from './event-log/log-meter.js';
import { RedisEventLog } from './event-log/redis-event-log.js';
import { SESSION_PORTS, type SessionPorts } from './session-ports.js';
import { RedisSessionStore } from './store/redis-session-store.js';
import { RedisSessionTurns } from './turns/redis-session-turns.js';

const ADAPTERS = Symbol('adapters of sessions on Redis');

interface RedisAdapters extends Required<SessionPorts> {
  readonly sessionTurns: RedisSessionTurns;
  readonly eventLog: RedisEventLog;
  readonly changeBus: RedisChangeBus;
}

/** Sessions in Redis where there is one, so that any node serves any of them. */
@Module({
  imports: [NodesModule],
  providers: [
    {
      provide: ADAPTERS,
      inject: [CLOCK, LOGGER, NODE_CHANNEL, LIVE_NODES, Metrics, { token: REDIS, optional: true }],
      useFactory: (
        clock: Clock,
        log: Log,
        channel: NodeChannel,
        live: LiveNodes,
        metrics: Metrics,
        redis: RedisClients | undefined,
      ): RedisAdapters | undefined => {
        if (redis === undefined) return undefined;
        const onFault = (err: unknown) => log.warn({ err }, 'something of a session could not be told to Redis');
        const meter = logMeterOf(metrics);
        const common = { redis: redis.commands, channel, clock, onFault };
        const eventLog = new RedisEventLog({ ...common, redis, live, meter });
        metrics.gauge('session_log_followers', 'Streams shown by this node', () => eventLog.followers);
        return {
          sessionStore: new RedisSessionStore(common),
          sessionTurns: new RedisSessionTurns(common),
          eventLog,
          nodeBus: new ChannelNodeBus(common),
          changeBus: new RedisChangeBus(common),
          liveNodes: live,
        };
      },
    },
    {
      provide: SESSION_PORTS,
      inject: [{ token: ADAPTERS, optional: true }],
      useFactory: (adapters: RedisAdapters | undefined): SessionPorts => adapters ?? {},
    },
  ],
  exports: [SESSION_PORTS],
})
export class SessionPortsModule implements OnApplicationShutdown {
  constructor(@Optional() @Inject(ADAPTERS) private readonly adapters: RedisAdapters | undefined) {}

  /** After the last call has ended. */
  onApplicationShutdown(): void {
    this.adapters?.sessionTurns.close();
    this.adapters?.changeBus.close();
    this.adapters?.eventLog.close();
  }
}
