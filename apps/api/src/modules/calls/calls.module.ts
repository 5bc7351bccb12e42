import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import { Database } from '../../infra/prisma/database.js';
import { Metrics } from '../../infra/telemetry/metrics.js';
import { LOGGER, type Log, NODE_ID, POOL } from '../../infra/tokens.js';
import { CallLog } from './call-log.js';
import { CallsController } from './calls.controller.js';
import { CallsRepository } from './calls.repository.js';
import { RecentCalls } from './recent-calls.js';

@Module({
  controllers: [CallsController],
  providers: [
    {
      provide: CallsRepository,
      inject: [POOL, Database, NODE_ID],
      useFactory: (pool: pg.Pool, database: Database, nodeId: string) => new CallsRepository(pool, database, nodeId),
    },
    {
      provide: RecentCalls,
      inject: [CallsRepository, NODE_ID],
      useFactory: (repository: CallsRepository, nodeId: string) => new RecentCalls(repository, nodeId),
    },
    {
      provide: CallLog,
      inject: [CallsRepository, RecentCalls, Metrics, LOGGER],
      useFactory: (repository: CallsRepository, recent: RecentCalls, metrics: Metrics, log: Log) => {
        const lost = metrics.counter('call_log_lost_total', 'Call records that were given up instead of written');
        const calls = new CallLog({
          write: async (records) => {
            await repository.insert(records);
            recent.written(records);
          },
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
  exports: [CallLog, CallsRepository, RecentCalls],
})
export class CallsModule implements OnApplicationShutdown {
  constructor(@Inject(CallLog) private readonly calls: CallLog) {}

  async onApplicationShutdown(): Promise<void> {
    await this.calls.close();
  }
}
