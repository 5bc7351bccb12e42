import type { Clock } from '@gantry/mcp-core';
import { Inject, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '../../config/app-config.js';
import { NodeCalls } from '../../infra/nodes/node-calls.js';
import type { NodeChannel } from '../../infra/nodes/node-channel.js';
import type { RedisClients } from '../../infra/redis/redis-clients.js';
import type { RedisNodeChannel } from '../../infra/redis/redis-node-channel.js';
import { APP_CONFIG, CLOCK, LIVE_NODES, LOGGER, type Log, NODE_CHANNEL, REDIS } from '../../infra/tokens.js';
import { AuditModule } from '../audit/audit.module.js';
import { LoneNodeRegistry } from './lone-node-registry.js';
import { NodeClaim } from './node-claim.js';
import { NodeLease } from './node-lease.js';
import { NodeLeaseRepository } from './node-lease.repository.js';
import { NodeRegistry } from './node-registry.js';
import { NodeSelf } from './node-self.js';
import { NodesController } from './nodes.controller.js';
import { NodesService } from './nodes.service.js';
import { RedisNodeRegistry } from './redis-node-registry.js';
import { SharedClaim } from './shared-claim.js';

const optional = (token: symbol) => ({ token, optional: true });

/** This node among the others: its lease, who else lives, and questions from node to node. */
@Module({
  imports: [AuditModule],
  controllers: [NodesController],
  providers: [
    NodeSelf,
    NodesService,
    NodeLeaseRepository,
    {
      provide: NodeClaim,
      inject: [optional(REDIS), NodeLeaseRepository, APP_CONFIG, CLOCK, LOGGER],
      useFactory: (
        redis: RedisClients | undefined,
        leases: NodeLeaseRepository,
        config: AppConfig,
        clock: Clock,
        log: Log,
      ) =>
        redis === undefined ? new NodeLease(leases, config, clock, log) : new SharedClaim(leases, config, clock, log),
    },
    {
      provide: NodeRegistry,
      inject: [optional(REDIS), NodeSelf, NODE_CHANNEL, CLOCK, LOGGER],
      useFactory: (
        redis: RedisClients | undefined,
        self: NodeSelf,
        channel: NodeChannel,
        clock: Clock,
        log: Log,
      ): NodeRegistry =>
        redis === undefined
          ? new LoneNodeRegistry(self, clock)
          : new RedisNodeRegistry({ self, redis, channel: channel as RedisNodeChannel, clock, log }),
    },
    { provide: LIVE_NODES, useExisting: NodeRegistry },
    {
      provide: NodeCalls,
      inject: [NODE_CHANNEL, CLOCK, NodeRegistry, LOGGER],
      useFactory: (channel: NodeChannel, clock: Clock, registry: NodeRegistry, log: Log) =>
        new NodeCalls({
          channel,
          clock,
          living: () => registry.living(),
          onFault: (err) => log.error({ err }, 'a question of another node could not be answered'),
        }),
    },
  ],
  exports: [NodeClaim, NodeRegistry, NodeSelf, NodeCalls, LIVE_NODES],
})
export class NodesModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(NodeRegistry) private readonly registry: NodeRegistry,
    @Inject(NodeCalls) private readonly calls: NodeCalls,
  ) {}

  onApplicationBootstrap(): Promise<void> {
    return this.registry.join();
  }

  /** After the last call has ended: the others may take over what this node leaves. */
  async onApplicationShutdown(): Promise<void> {
    this.calls.close();
    await this.registry.leave();
  }
}
