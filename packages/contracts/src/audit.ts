import { z } from 'zod';
import { pageQuerySchema, pageSchema, timestampSchema } from './common.js';

export const auditEntrySchema = z.object({
  id: z.string(),
  at: timestampSchema,
  /** "user:<id>", "key:<id>" or "automation". */
  actor: z.string(),
  /** noun.verb, e.g. "key.revoke". */
  action: z.string(),
  /** What it was done to, e.g. "server/orders". */
  object: z.string(),
  requestId: z.string().optional(),
  detail: z.record(z.string(), z.unknown()).optional(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;
export const auditPageSchema = pageSchema(auditEntrySchema);

/** Filters of the trail; each is an exact match. */
export const auditQuerySchema = pageQuerySchema.extend({
  actor: z
    .string()
    .max(128)
    .regex(/^[^\0]*$/)
    .optional(),
  action: z
    .string()
    .max(128)
    .regex(/^[^\0]*$/)
    .optional(),
  object: z
    .string()
    .max(256)
    .regex(/^[^\0]*$/)
    .optional(),
});
