import { z } from 'zod';

export const healthSchema = z.object({ status: z.literal('ok') });

/**
 * Readiness, with each dependency by name. `degraded` is ready: something is away that this node can do without for
 * now, and the dependency says what does not work meanwhile.
 */
export const readinessSchema = z.object({
  status: z.enum(['ready', 'degraded', 'not_ready']),
  dependencies: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string().optional() })),
});
