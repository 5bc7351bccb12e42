import type { Clock } from '@gantry/mcp-core';
import { Module } from '@nestjs/common';
import type pg from 'pg';
import type { AppConfig } from '../../config/app-config.js';
import { NodeCalls } from '../../infra/nodes/node-calls.js';
import { APP_ROLE } from '../../infra/prisma/pool.js';
import { APP_CONFIG, CLOCK, LOGGER, type Log, NODE_ID, POOL } from '../../infra/tokens.js';
import { AuditModule } from '../audit/audit.module.js';
import { Mutations } from '../audit/mutations.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { Admission } from './admission/admission.js';
import { AdmissionRepository } from './admission/admission.repository.js';
import { QueuePlaces } from './admission/queue-places.js';
import { JobsController } from './api/jobs.controller.js';
import { JobsAdminService } from './api/jobs-admin.service.js';
import { JobEvents } from './job-events.js';
import { JobHandlers } from './job-handlers.js';
import { JobsService } from './jobs.service.js';
import { JobsRuntime } from './jobs-runtime.js';
import { JobRepository } from './store/job.repository.js';
import { JobQueries } from './store/job-queries.repository.js';
import { WorkerRepository } from './store/worker.repository.js';
import { postgresTransport, redisTransport } from './transport/bullmq-transport.js';
import type { JobTransport } from './transport/job-transport.js';
import { LazyTransport } from './transport/lazy-transport.js';

const JOB_TRANSPORT = Symbol('JobTransport');

/** Tool calls that run outside their request: their rows, their turns, their queue, and who looks after them. */
@Module({
  imports: [NodesModule, AuditModule],
  controllers: [JobsController],
  providers: [
    JobHandlers,
    { provide: JobRepository, inject: [POOL], useFactory: (pool: pg.Pool) => new JobRepository(pool) },
    { provide: WorkerRepository, inject: [POOL], useFactory: (pool: pg.Pool) => new WorkerRepository(pool) },
    { provide: JobQueries, inject: [POOL], useFactory: (pool: pg.Pool) => new JobQueries(pool) },
    {
      provide: JobsAdminService,
      inject: [JobsService, JobQueries, WorkerRepository, Mutations, APP_CONFIG],
      useFactory: (
        jobs: JobsService,
        queries: JobQueries,
        workers: WorkerRepository,
        mutations: Mutations,
        { limits }: AppConfig,
      ) => new JobsAdminService(jobs, queries, workers, mutations, limits.concurrentJobs),
    },
    {
      provide: JobEvents,
      inject: [LOGGER],
      useFactory: (log: Log) => new JobEvents((err) => log.error({ err }, 'a change of a job could not be told')),
    },
    {
      provide: JOB_TRANSPORT,
      inject: [APP_CONFIG, LOGGER],
      useFactory: ({ redisUrls, databaseUrl }: AppConfig, log: Log): JobTransport => {
        const onFault = (err: unknown) => log.warn({ err }, 'the queue of jobs failed for a moment');
        return new LazyTransport(() =>
          redisUrls === undefined
            ? postgresTransport(databaseUrl, APP_ROLE, onFault)
            : redisTransport(redisUrls, onFault),
        );
      },
    },
    { provide: AdmissionRepository, inject: [POOL], useFactory: (pool: pg.Pool) => new AdmissionRepository(pool) },
    {
      provide: QueuePlaces,
      inject: [AdmissionRepository, JobHandlers, JobEvents, CLOCK, LOGGER],
      useFactory: (repository: AdmissionRepository, handlers: JobHandlers, events: JobEvents, clock: Clock, log: Log) =>
        new QueuePlaces({
          repository,
          handlers,
          events,
          clock,
          onFault: (err) => log.warn({ err }, 'places in the queue could not be told'),
        }),
    },
    {
      provide: Admission,
      inject: [AdmissionRepository, JOB_TRANSPORT, QueuePlaces, APP_CONFIG, LOGGER],
      useFactory: (
        repository: AdmissionRepository,
        transport: JobTransport,
        places: QueuePlaces,
        { limits }: AppConfig,
        log: Log,
      ) =>
        new Admission({
          repository,
          transport,
          moved: () => places.changed(),
          concurrent: limits.concurrentJobs,
          onFault: (err) => log.warn({ err }, 'waiting jobs could not be handed to the queue'),
        }),
    },
    {
      provide: JobsService,
      inject: [JobRepository, JOB_TRANSPORT, Admission, JobEvents, NodeCalls, JobHandlers, APP_CONFIG, LOGGER],
      useFactory: (
        repository: JobRepository,
        transport: JobTransport,
        admission: Admission,
        events: JobEvents,
        calls: NodeCalls,
        handlers: JobHandlers,
        { limits }: AppConfig,
        log: Log,
      ) =>
        new JobsService({
          repository,
          transport,
          admission,
          events,
          calls,
          handlers,
          limits,
          onFault: (err) => log.warn({ err }, 'a job could not be let go of in the queue'),
        }),
    },
    {
      provide: JobsRuntime,
      inject: [
        NODE_ID,
        APP_CONFIG,
        JobRepository,
        WorkerRepository,
        JOB_TRANSPORT,
        Admission,
        QueuePlaces,
        JobsService,
        JobEvents,
        JobHandlers,
        NodeCalls,
        NodeRegistry,
        CLOCK,
        LOGGER,
      ],
      useFactory: (
        node: string,
        { role, limits }: AppConfig,
        repository: JobRepository,
        workers: WorkerRepository,
        transport: JobTransport,
        admission: Admission,
        places: QueuePlaces,
        service: JobsService,
        events: JobEvents,
        handlers: JobHandlers,
        calls: NodeCalls,
        registry: NodeRegistry,
        clock: Clock,
        log: Log,
      ) =>
        new JobsRuntime({
          node,
          role,
          slots: limits.jobSlots,
          retentionMs: limits.jobRetentionMs,
          repository,
          workers,
          transport,
          admission,
          places,
          service,
          events,
          handlers,
          calls,
          registry,
          clock,
          log,
        }),
    },
  ],
  exports: [JobQueries, JobsAdminService, JobHandlers, JobsService, JobsRuntime, JobEvents, WorkerRepository],
})
export class JobsModule {}
