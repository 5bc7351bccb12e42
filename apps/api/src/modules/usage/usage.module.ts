import type { Clock, LiveNodes } from '@gantry/mcp-core';
import { Inject, Module, type OnApplicationShutdown, Optional } from '@nestjs/common';
import type { NodeChannel } from '../../infra/nodes/node-channel.js';
import type { RedisClients } from '../../infra/redis/redis-clients.js';
import { CLOCK, LIVE_NODES, LOGGER, type Log, NODE_CHANNEL, NODE_ID, REDIS } from '../../infra/tokens.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { CALL_LIMITS, type CallLimits } from './call-limits.js';
import { InMemoryCallLimits } from './in-memory-call-limits.js';
import { InMemoryListenLimits } from './in-memory-listen-limits.js';
import { LISTEN_LIMITS, type ListenLimits } from './listen-limits.js';
import { RedisCallLimits } from './redis-call-limits.js';
import { RedisListenLimits } from './redis-listen-limits.js';
import { RedisPlaces } from './redis-places.js';

const PLACES = Symbol('RedisPlaces');

/** What is counted over all nodes: in Redis where there is one, else here. */
@Module({
  imports: [NodesModule],
  providers: [
    {
      provide: PLACES,
      inject: [NODE_ID, CLOCK, LOGGER, NODE_CHANNEL, LIVE_NODES, { token: REDIS, optional: true }],
      useFactory: (
        nodeId: string,
        clock: Clock,
        log: Log,
        channel: NodeChannel,
        nodes: LiveNodes,
        redis: RedisClients | undefined,
      ) => {
        if (redis === undefined) return undefined;
        const places = new RedisPlaces({
          redis,
          nodeId,
          clock,
          isGone: (node) => nodes.isGone(node),
          onFault: (err) => log.warn({ err }, 'limits over all nodes cannot be counted'),
        });
        channel.onGap(() => places.doubtAll());
        return places;
      },
    },
    {
      provide: CALL_LIMITS,
      inject: [CLOCK, { token: PLACES, optional: true }],
      useFactory: (clock: Clock, places: RedisPlaces | undefined): CallLimits => {
        const now = () => clock.now();
        return places === undefined ? new InMemoryCallLimits(now) : new RedisCallLimits(places, now);
      },
    },
    {
      provide: LISTEN_LIMITS,
      inject: [{ token: PLACES, optional: true }],
      useFactory: (places: RedisPlaces | undefined): ListenLimits =>
        places === undefined ? new InMemoryListenLimits() : new RedisListenLimits(places),
    },
  ],
  exports: [CALL_LIMITS, LISTEN_LIMITS],
})
export class UsageModule implements OnApplicationShutdown {
  constructor(@Optional() @Inject(PLACES) private readonly places: RedisPlaces | undefined) {}

  onApplicationShutdown(): void {
    this.places?.close();
  }
}
