import { z } from 'zod';
import { pageQuerySchema, pageSchema, timestampSchema } from './common.js';

export const callStatusSchema = z.enum(['ok', 'tool_error', 'error', 'cancelled', 'refused']);

export const callSchema = z.object({
  id: z.string(),
  at: timestampSchema,
  server: z.string(),
  tool: z.string().optional(),
  method: z.string(),
  status: callStatusSchema,
  durationMs: z.number(),
  era: z.enum(['session', 'stateless', 'http+sse']),
  client: z.string().optional(),
  principal: z.string(),
  node: z.string(),
  sessionId: z.string().optional(),
  jobId: z.string().optional(),
  source: z.enum(['mcp', 'console']),
});
export type Call = z.infer<typeof callSchema>;
export const callPageSchema = pageSchema(callSchema);
export const callQuerySchema = pageQuerySchema.extend({
  server: z
    .string()
    .max(128)
    .regex(/^[^\0]*$/)
    .optional(),
  tool: z
    .string()
    .max(128)
    .regex(/^[^\0]*$/)
    .optional(),
  status: callStatusSchema.optional(),
  /** The id of a session, whole. */
  session: z
    .string()
    .max(128)
    .regex(/^[^\0]*$/)
    .optional(),
});
