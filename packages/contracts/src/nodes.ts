import { z } from 'zod';
import { pageSchema, timestampSchema } from './common.js';

/** `gone`: its lease has lapsed, or it was stopped; shown for ten minutes more. */
export const nodeStateSchema = z.enum(['ready', 'draining', 'gone']);
export type NodeState = z.infer<typeof nodeStateSchema>;

export const nodeRoleSchema = z.enum(['all', 'api', 'worker']);
export type NodeRole = z.infer<typeof nodeRoleSchema>;

/** A process that serves, as it described itself in its last beat (one a second). */
export const nodeSchema = z.object({
  /** Unique for each start of a process. */
  id: z.string(),
  role: nodeRoleSchema,
  version: z.string(),
  /** Where it is reached directly: `NODE_URL`, or what it listens on. */
  url: z.string(),
  startedAt: timestampSchema,
  state: nodeStateSchema,
  /** Sessions that it has in memory: with something open on it, or served by it lately. One may be on several nodes. */
  sessions: z.number().int().min(0),
  /** Streams of sessions that it holds open. */
  streams: z.number().int().min(0),
  /** Requests running on it. */
  inFlight: z.number().int().min(0),
  /** Listen streams (2026-07-28) that it holds open. */
  listens: z.number().int().min(0).optional(),
  /** Of its last beat, by the clock of Redis; by its own where it is alone. */
  lastSeenAt: timestampSchema.optional(),
  /** When it went, for a node that is gone. */
  goneAt: timestampSchema.optional(),
  heapBytes: z.number().int().min(0).optional(),
  rssBytes: z.number().int().min(0).optional(),
  /** How late its event loop came in the last seconds, 99th percentile, in milliseconds. */
  eventLoopLagMs: z.number().min(0).optional(),
  /** How far its clock is ahead of Redis's (behind, if negative), in milliseconds. */
  clockSkewMs: z.number().optional(),
  /** True for the node that gave this answer. */
  answering: z.boolean().optional(),
});
export type GantryNode = z.infer<typeof nodeSchema>;
export const nodePageSchema = pageSchema(nodeSchema);
