import { z } from 'zod';
import { callSchema } from './calls.js';
import { slugSchema } from './common.js';
import { jobSchema } from './jobs.js';
import { nodeSchema } from './nodes.js';
import { inFlightCallSchema, sessionMessageSchema, sessionSchema, sessionStreamSchema } from './sessions.js';

/** How many topics one stream may carry. */
export const STREAM_TOPICS_MAX = 16;

/**
 * Topics of `GET /stream?topics=a,b`: `nodes` (those who may list nodes), `sessions:{tenant}`, `calls:{tenant}`,
 * `jobs:{tenant}`, `session:{tenant}/{id}`. Each may be watched by whoever may GET the same.
 */
export type Topic =
  | 'nodes'
  | `sessions:${string}`
  | `calls:${string}`
  | `jobs:${string}`
  | `session:${string}/${string}`;
export const sessionsTopic = (tenant: string): Topic => `sessions:${tenant}`;
export const callsTopic = (tenant: string): Topic => `calls:${tenant}`;
export const jobsTopic = (tenant: string): Topic => `jobs:${tenant}`;
export const sessionTopic = (tenant: string, id: string): Topic => `session:${tenant}/${id}`;

export const topicSchema = z
  .string()
  .max(400)
  .refine((text): text is Topic => {
    const [, kind, tenant = '', id] = /^(nodes|sessions|calls|jobs|session)(?::([^/]*)(?:\/(.+))?)?$/s.exec(text) ?? [];
    if (kind === 'nodes') return text === 'nodes';
    if (kind === undefined || !slugSchema.safeParse(tenant).success) return false;
    return (kind === 'session') === (id !== undefined);
  }, 'must be nodes, sessions:{tenant}, calls:{tenant}, jobs:{tenant} or session:{tenant}/{id}');

export const streamQuerySchema = z.object({
  /** Separated by commas; twice is once. */
  topics: z
    .string()
    .max(8_192)
    .transform((text) => [...new Set(text.split(',').filter((topic) => topic !== ''))])
    .pipe(z.array(topicSchema).min(1).max(STREAM_TOPICS_MAX)),
});

/*
 * Every event has an `id:` (opaque, for Last-Event-ID), an `event:` (the frame's kind) and one frame as its `data:`.
 * Per topic: a snapshot, then deltas numbered from 1 without holes; a snapshot that comes later starts over. At most
 * four frames a second a topic: what happens between two is merged, and `skipped` says how many changes the reader was
 * not shown one by one.
 */
const head = { topic: z.string(), number: z.number().int().min(0), skipped: z.number().int().min(0) };

/** Rows that are listed, by id: the newest state of each that is there or has changed, and ids that are gone. */
function listFrames<T extends z.ZodType>(row: T) {
  return z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('snapshot'),
      ...head,
      items: z.array(row),
      /** There are more rows than a snapshot holds (200); changes of all come as deltas. */
      more: z.boolean(),
      silentNodes: z.array(z.string()),
    }),
    z.object({ kind: z.literal('delta'), ...head, upserted: z.array(row), removed: z.array(z.string()) }),
  ]);
}

export const sessionsFrameSchema = listFrames(sessionSchema);
export type SessionsFrame = z.infer<typeof sessionsFrameSchema>;

export const nodesFrameSchema = listFrames(nodeSchema);
export type NodesFrame = z.infer<typeof nodesFrameSchema>;

/** Finished calls, newest first. Calls have an end only: nothing is removed. */
export const callsFrameSchema = listFrames(callSchema);
export type CallsFrame = z.infer<typeof callsFrameSchema>;

/** Jobs, newest first, as they change; what is forgotten is not told. */
export const jobsFrameSchema = listFrames(jobSchema);
export type JobsFrame = z.infer<typeof jobsFrameSchema>;

const sessionBody = {
  /** Absent once the session has ended. */
  session: sessionSchema.optional(),
  inFlightCalls: z.array(inFlightCallSchema),
  openStreams: z.array(sessionStreamSchema),
  silentNodes: z.array(z.string()),
};

/** One session: its whole state in each frame; of its messages, in a snapshot the last ones, in a delta the new ones. */
export const sessionFrameSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('snapshot'), ...head, ...sessionBody, messages: z.array(sessionMessageSchema) }),
  z.object({ kind: z.literal('delta'), ...head, ...sessionBody, messages: z.array(sessionMessageSchema) }),
]);
export type SessionFrame = z.infer<typeof sessionFrameSchema>;

/** The stream ends, and why; it is the last event. After `drain` and `expired` the reader may come back at once. */
export const closeFrameSchema = z.object({
  kind: z.literal('close'),
  reason: z.enum(['drain', 'revoked', 'slow', 'expired']),
});
export type CloseFrame = z.infer<typeof closeFrameSchema>;
