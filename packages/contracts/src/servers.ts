import { z } from 'zod';
import { pageSchema, pointedMessageSchema, slugSchema, timestampSchema } from './common.js';
import {
  promptDocumentSchema,
  resourceDocumentSchema,
  resourceTemplateDocumentSchema,
  resourceUriSchema,
  toolDocumentSchema,
} from './server-document.js';

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

/** How one list differs between two revisions, as a client would see it; by name, URI or URI template. */
export const listDiffSchema = z.object({
  added: z.array(z.string()),
  changed: z.array(z.string()),
  removed: z.array(z.string()),
  /** Items that clients list as before, and that do something else now; left out when there are none. */
  inside: z.array(z.string()).optional(),
});
export type ListDiff = z.infer<typeof listDiffSchema>;

/** How the lists of a server differ between two revisions. Tools stand at the top; the rest where either has the list. */
export const documentDiffSchema = listDiffSchema.extend({
  prompts: listDiffSchema.optional(),
  resources: listDiffSchema.optional(),
  resourceTemplates: listDiffSchema.optional(),
});
export type DocumentDiff = z.infer<typeof documentDiffSchema>;

export const putServerQuerySchema = z.object({
  draft: z.stringbool().default(false),
  dryRun: z.stringbool().default(false),
});

export const putServerAnswerSchema = z.object({
  server: serverSummarySchema,
  revision: z.number().int(),
  warnings: z.array(pointedMessageSchema),
  diff: documentDiffSchema,
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

/** PATCH of a single item: the fields to replace; `null` removes an optional one (RFC 7396 at the first level). */
export const itemPatchSchema = z.record(z.string(), z.unknown());

/** What every change of a single item answers beside the item. */
const edited = { revision: z.number().int(), warnings: z.array(pointedMessageSchema) };

export const toolPageSchema = pageSchema(toolDocumentSchema);
export const toolAnswerSchema = z.object({ tool: toolDocumentSchema, ...edited });
export type ToolAnswer = z.infer<typeof toolAnswerSchema>;

export const promptPageSchema = pageSchema(promptDocumentSchema);
export const promptAnswerSchema = z.object({ prompt: promptDocumentSchema, ...edited });
export type PromptAnswer = z.infer<typeof promptAnswerSchema>;

export const resourcePageSchema = pageSchema(resourceDocumentSchema);
export const resourceAnswerSchema = z.object({ resource: resourceDocumentSchema, ...edited });
export type ResourceAnswer = z.infer<typeof resourceAnswerSchema>;

export const resourceTemplatePageSchema = pageSchema(resourceTemplateDocumentSchema);
export const resourceTemplateAnswerSchema = z.object({ resourceTemplate: resourceTemplateDocumentSchema, ...edited });
export type ResourceTemplateAnswer = z.infer<typeof resourceTemplateAnswerSchema>;

/** As JSON: it is sent, and kept for its replay, once for every session of the server. */
const TOLD_DATA_MAX = 65_536;
const toldData = z
  .unknown()
  .refine((data) => data !== undefined, 'is required')
  .refine(
    (data) => (JSON.stringify(data) ?? '').length <= TOLD_DATA_MAX,
    `must have at most ${TOLD_DATA_MAX} characters as JSON`,
  );

/** What clients of a server are told; at least one of them. */
export const notifyBodySchema = z
  .strictObject({
    /** A URI of the published revision: told to those who subscribed to it. */
    resourceUpdated: resourceUriSchema.optional(),
    /** `notifications/message` to every session whose log level lets it through. */
    message: z
      .strictObject({
        level: z.enum(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']),
        logger: z.string().max(256).optional(),
        data: toldData,
      })
      .optional(),
    listChanged: z
      .array(z.enum(['tools', 'prompts', 'resources']))
      .min(1)
      .max(3)
      .optional(),
  })
  .refine((body) => Object.values(body).some((told) => told !== undefined), 'says nothing to tell');
export type NotifyBody = z.infer<typeof notifyBodySchema>;

export const publishBodySchema = z.strictObject({ note: z.string().max(1_000).optional() }).default({});
export const publishAnswerSchema = putServerAnswerSchema;
