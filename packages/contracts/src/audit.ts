import { z } from 'zod';
import { pageSchema, timestampSchema } from './common.js';

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
