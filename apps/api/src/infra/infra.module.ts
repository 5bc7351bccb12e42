import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { type Clock, METHOD_NAMES } from '@gantry/mcp-core';
import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
  type Provider,
} from '@nestjs/common';
import type pg from 'pg';
import type { AppConfig } from '../config/app-config.js';
import { ChangeLogFollower } from './changes/change-log-follower.js';
import { ChangeLogWriter } from './changes/change-log-writer.js';
import { MasterKeys, Sealer } from './crypto/index.js';
import { LoneNodeChannel } from './nodes/lone-node-channel.js';
import type { NodeChannel } from './nodes/node-channel.js';
import { Database } from './prisma/database.js';
import { createPool } from './prisma/pool.js';
import { createRedisClients, type RedisClients } from './redis/redis-clients.js';
import { RedisNodeChannel } from './redis/redis-node-channel.js';
import { Metrics, serveMetrics } from './telemetry/metrics.js';
import { APP_CONFIG, CLOCK, LOGGER, type Log, NODE_CHANNEL, NODE_ID, POOL, REDIS, SECRET_SEALER } from './tokens.js';

export interface InfraOptions {
  readonly config: AppConfig;
  readonly logger: Log;
  readonly clock: Clock;
}

/** Database, change log, seals, clock and log: one of each, for every module. */
@Module({})
export class InfraModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private metricsServer: Server | undefined;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(Database) private readonly database: Database,
    @Inject(ChangeLogFollower) private readonly follower: ChangeLogFollower,
    @Inject(NODE_CHANNEL) private readonly channel: NodeChannel,
    @Optional() @Inject(REDIS) private readonly redis: RedisClients | undefined,
  ) {}

  static with({ config, logger, clock }: InfraOptions): DynamicModule {
    const providers: Provider[] = [
      { provide: APP_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: CLOCK, useValue: clock },
      { provide: POOL, useFactory: () => createPool({ databaseUrl: config.databaseUrl, logger }) },
      { provide: Database, useFactory: (pool: pg.Pool) => new Database(pool), inject: [POOL] },
      ChangeLogWriter,
      { provide: Metrics, useFactory: () => new Metrics(METHOD_NAMES) },
      {
        provide: ChangeLogFollower,
        useFactory: (database: Database, channel: NodeChannel) =>
          new ChangeLogFollower({ database, clock, logger, channel }),
        inject: [Database, NODE_CHANNEL],
      },
      { provide: NODE_ID, useFactory: () => randomBytes(9).toString('base64url') },
      {
        provide: REDIS,
        useFactory: () => (config.redisUrls === undefined ? undefined : createRedisClients(config.redisUrls, logger)),
      },
      {
        provide: NODE_CHANNEL,
        inject: [NODE_ID, { token: REDIS, optional: true }],
        useFactory: (nodeId: string, redis: RedisClients | undefined) => {
          const onFault = (err: unknown) => logger.warn({ err }, 'a message between nodes was lost');
          if (redis === undefined) return new LoneNodeChannel(nodeId, onFault);
          const channel = new RedisNodeChannel({ nodeId, redis, clock, onFault });
          channel.start();
          return channel;
        },
      },
      { provide: SECRET_SEALER, useFactory: () => new Sealer(new MasterKeys(config.masterKey).subkey('secrets')) },
    ];
    return { module: InfraModule, global: true, providers, exports: providers };
  }

  async onApplicationBootstrap(): Promise<void> {
    const { metricsPort, host } = this.config;
    if (metricsPort !== undefined) this.metricsServer = await serveMetrics(this.metrics, host, metricsPort);
  }

  /** After every module has written what it had to write. */
  async onApplicationShutdown(): Promise<void> {
    this.metricsServer?.close();
    if (this.channel instanceof RedisNodeChannel) this.channel.close();
    this.redis?.close();
    await this.follower.stop();
    await this.database.close();
    await this.pool.end();
  }
}
