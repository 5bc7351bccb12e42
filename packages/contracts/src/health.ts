import { z } from 'zod';

export const healthSchema = z.object({ status: z.literal('ok') });

/** Readiness, with each dependency by name. */
export const readinessSchema = z.object({
  status: z.enum(['ready', 'not_ready']),
  dependencies: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string().optional() })),
});
