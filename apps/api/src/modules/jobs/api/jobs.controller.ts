import {
  cancelJobBodySchema,
  type Job,
  type JobDetail,
  type JobQueue,
  jobDetailSchema,
  jobPageSchema,
  jobQuerySchema,
  jobQueueSchema,
  type Page,
} from '@gantry/contracts';
import { Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type { z } from 'zod';
import { ValidBody, ValidQuery } from '../../../common/http/input.js';
import { Operation } from '../../../common/http/operation.js';
import { Ctx, type TenantCaller } from '../../../common/http/request-context.js';
import { JobsAdminService } from './jobs-admin.service.js';

@Controller('api/v1/tenants/:tenant')
export class JobsController {
  constructor(@Inject(JobsAdminService) private readonly jobs: JobsAdminService) {}

  @Get('jobs')
  @Operation({
    summary: 'List jobs, newest first',
    description: '`q` is looked for in id and tool, and with `payloads:read` in error text, ignoring case.',
    access: 'calls:read',
    query: jobQuerySchema,
    answers: { 200: jobPageSchema },
  })
  list(@Ctx() caller: TenantCaller, @ValidQuery() query: z.infer<typeof jobQuerySchema>): Promise<Page<Job>> {
    return this.jobs.list(caller, query);
  }

  @Get('job-queue')
  @Operation({
    summary: "Read the tenant's part of the queue, and how many workers take jobs",
    access: 'calls:read',
    answers: { 200: jobQueueSchema },
  })
  queue(@Ctx() caller: TenantCaller): Promise<JobQueue> {
    return this.jobs.queue(caller);
  }

  @Get('jobs/:id')
  @Operation({
    summary: 'Read a job: what it was given, how often it ran, what came of it',
    access: 'calls:read',
    answers: { 200: jobDetailSchema },
  })
  get(@Ctx() caller: TenantCaller, @Param('id') id: string): Promise<JobDetail> {
    return this.jobs.get(caller, id);
  }

  @Post('jobs/:id/cancel')
  @HttpCode(200)
  @Operation({
    summary: 'Cancel a job',
    description: 'Answers when its work has stopped. 409 for one that is over.',
    access: 'sessions:end',
    body: cancelJobBodySchema,
    answers: { 200: jobDetailSchema },
  })
  cancel(
    @Ctx() caller: TenantCaller,
    @Param('id') id: string,
    @ValidBody() body: z.infer<typeof cancelJobBodySchema>,
  ): Promise<JobDetail> {
    return this.jobs.cancel(caller, id, body.reason);
  }

  @Post('jobs/:id/retry')
  @Operation({
    summary: 'Run a job that is over once more, as a new job',
    description: '409 for one that is not over.',
    access: 'tools:try',
    answers: { 201: jobDetailSchema },
  })
  retry(@Ctx() caller: TenantCaller, @Param('id') id: string): Promise<JobDetail> {
    return this.jobs.retry(caller, id);
  }
}
