import { z } from 'zod';
import { pageSchema, pointedMessageSchema, slugSchema, timestampSchema } from './common.js';
import { toolDocumentSchema } from './server-document.js';

export const serverSummarySchema = z.object({
  slug: slugSchema,
  name: z.string(),
  /** The MCP endpoint, ready to be pasted into a client. */
  endpoint: z.string(),
  /** Number of the published revision; 0 while nothing is published. */
  revision: z.number().int(),
  /** Number of tools published. */
  tools: z.number().int(),
  access: z.enum(['key', 'public', 'oauth']),
  /** True while the stored document is newer than what is published. */
  draft: z.boolean(),
  updatedAt: timestampSchema,
});
export type ServerSummary = z.infer<typeof serverSummarySchema>;
export const serverPageSchema = pageSchema(serverSummarySchema);

/** How `tools/list` differs between two revisions, as a client would see it. */
export const toolsDiffSchema = z.object({
  added: z.array(z.string()),
  changed: z.array(z.string()),
  removed: z.array(z.string()),
});
export type ToolsDiff = z.infer<typeof toolsDiffSchema>;

export const putServerQuerySchema = z.object({
  draft: z.stringbool().default(false),
  dryRun: z.stringbool().default(false),
});

export const putServerAnswerSchema = z.object({
  server: serverSummarySchema,
  revision: z.number().int(),
  warnings: z.array(pointedMessageSchema),
  diff: toolsDiffSchema,
});
export type PutServerAnswer = z.infer<typeof putServerAnswerSchema>;

export const revisionSchema = z.object({
  number: z.number().int(),
  publishedAt: timestampSchema,
  publishedBy: z.string(),
  note: z.string().optional(),
  tools: z.number().int(),
  live: z.boolean(),
});
export type Revision = z.infer<typeof revisionSchema>;
export const revisionPageSchema = pageSchema(revisionSchema);

export const toolPageSchema = pageSchema(toolDocumentSchema);
/** PATCH of a tool: the fields to replace; `null` removes an optional one (RFC 7396 at the first level). */
export const toolPatchSchema = z.record(z.string(), z.unknown());

export const toolAnswerSchema = z.object({
  tool: toolDocumentSchema,
  revision: z.number().int(),
  warnings: z.array(pointedMessageSchema),
});
export type ToolAnswer = z.infer<typeof toolAnswerSchema>;

export const publishBodySchema = z.strictObject({ note: z.string().max(1_000).optional() }).default({});
export const publishAnswerSchema = putServerAnswerSchema;
