import { hostname } from 'node:os';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import { Database } from '../../infra/prisma/database.js';
import { Metrics } from '../../infra/telemetry/metrics.js';
import { LOGGER, type Log, POOL } from '../../infra/tokens.js';
import { CallLog } from './call-log.js';
import { CallsController } from './calls.controller.js';
import { CallsRepository } from './calls.repository.js';

@Module({
  controllers: [CallsController],
  providers: [
    {
      provide: CallsRepository,
      inject: [POOL, Database],
      useFactory: (pool: pg.Pool, database: Database) =>
        new CallsRepository(pool, database, `${hostname()}:${process.pid}`),
    },
    {
      provide: CallLog,
      inject: [CallsRepository, Metrics, LOGGER],
      useFactory: (repository: CallsRepository, metrics: Metrics, log: Log) => {
        const lost = metrics.counter('call_log_lost_total', 'Call records that were given up instead of written');
        const calls = new CallLog({
          write: (records) => repository.insert(records),
          onDelay: (err) => log.warn({ err }, 'call records wait: the database does not take them'),
          onLoss(count, reason) {
            lost(count);
            log.error({ count, reason }, 'call records were lost');
          },
        });
        metrics.gauge('call_log_depth', 'Call records waiting to be written', () => calls.depth);
        return calls;
      },
    },
  ],
  exports: [CallLog, CallsRepository],
})
export class CallsModule implements OnApplicationShutdown {
  constructor(@Inject(CallLog) private readonly calls: CallLog) {}

  async onApplicationShutdown(): Promise<void> {
    await this.calls.close();
  }
}
