import { z } from 'zod';
import { pageQuerySchema, pageSchema, timestampSchema } from './common.js';

/** `unknown`: its worker was lost in the middle, and it may not be repeated. The last four are ends. */
export const jobStatusSchema = z.enum([
  'queued',
  'running',
  'input_required',
  'completed',
  'failed',
  'cancelled',
  'unknown',
]);
export type JobStatus = z.infer<typeof jobStatusSchema>;

export const jobSchema = z.object({
  id: z.string(),
  server: z.string(),
  tool: z.string(),
  status: jobStatusSchema,
  /** `task`: its caller was given a handle. `call`: its caller waits on the call's own stream. */
  face: z.enum(['call', 'task']),
  /** Place in the queue, what is being done, or why it failed, in words. */
  statusMessage: z.string().optional(),
  progress: z.number().optional(),
  total: z.number().optional(),
  /** Place among the waiting jobs of the tenant, from 1; only while it waits. */
  position: z.number().int().min(1).optional(),
  attempts: z.number().int().min(0),
  /** A lost run may be repeated: the tool is read-only or idempotent. */
  repeatable: z.boolean(),
  createdAt: timestampSchema,
  startedAt: timestampSchema.optional(),
  finishedAt: timestampSchema.optional(),
  /** When the job and its result are forgotten. */
  expiresAt: timestampSchema.optional(),
  /** The worker that runs or ran it. */
  node: z.string().optional(),
  /** "key:<id>", "user:<id>", "automation", "anonymous". */
  principal: z.string(),
  client: z.string().optional(),
  revision: z.string().optional(),
  sessionId: z.string().optional(),
  error: z.string().optional(),
});
export type Job = z.infer<typeof jobSchema>;
export const jobPageSchema = pageSchema(jobSchema);

export const jobAttemptSchema = z.object({
  number: z.number().int().min(1),
  node: z.string(),
  startedAt: timestampSchema,
  finishedAt: timestampSchema.optional(),
  /** How it went: the job's status after it, or `lost`, `handed_back`. Absent while it runs. */
  outcome: z.string().optional(),
  error: z.string().optional(),
});
export type JobAttempt = z.infer<typeof jobAttemptSchema>;

/** Texts and numbers under names such as "password" or "token" are shown as "••••"; what stands within a text is shown. */
export const jobDetailSchema = jobSchema.extend({
  /** Without `payloads:read` there are no arguments, result, errors, messages or words of questions. */
  arguments: z.unknown().optional(),
  result: z.unknown().optional(),
  payloads: z.enum(['shown', 'withheld']),
  attemptList: z.array(jobAttemptSchema),
  /** What it waits to be answered, by key: what kind of question, and its words. */
  questions: z.record(z.string(), z.object({ method: z.string(), message: z.string().optional() })).optional(),
  idempotencyKey: z.string().optional(),
});
export type JobDetail = z.infer<typeof jobDetailSchema>;

const plain = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\0]*$/);

export const jobQuerySchema = pageQuerySchema.extend({
  server: plain(128).optional(),
  tool: plain(128).optional(),
  status: jobStatusSchema.optional(),
  /** Looked for in id, tool and, with `payloads:read`, error text, ignoring case. */
  q: plain(200).optional(),
});

/** The queue as a tenant sees it: its own jobs, and the workers of all. */
export const jobQueueSchema = z.object({
  queued: z.number().int().min(0),
  running: z.number().int().min(0),
  inputRequired: z.number().int().min(0),
  /** Ended within the last hour, by status. */
  completed: z.number().int().min(0),
  failed: z.number().int().min(0),
  cancelled: z.number().int().min(0),
  unknown: z.number().int().min(0),
  /** When the job was made that has waited longest. */
  oldestWaitingAt: timestampSchema.optional(),
  /** Over those that started, and ended, within the last hour; milliseconds. */
  waitP95Ms: z.number().min(0).optional(),
  runP95Ms: z.number().min(0).optional(),
  /** Processes that take jobs now. None, and jobs wait for ever: said only when it is true. */
  workers: z.number().int().min(0),
  /** Jobs that all workers together can run at once, and the tenant at most. */
  slots: z.number().int().min(0),
  limit: z.number().int().min(1).optional(),
});
export type JobQueue = z.infer<typeof jobQueueSchema>;

export const cancelJobBodySchema = z.strictObject({ reason: z.string().max(500).optional() }).prefault({});
