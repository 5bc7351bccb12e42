import { z } from 'zod';
import { pageSchema, slugSchema, timestampSchema } from './common.js';
import { memberRoleSchema, permissionSchema } from './roles.js';

/** A tenant's own limits; what is absent falls back to the platform's `LIMIT_*`. */
export const tenantLimitsSchema = z.strictObject({
  callsPerMinute: z.number().int().min(1).optional(),
  concurrentCalls: z.number().int().min(1).optional(),
  /** Jobs of the tenant that may run at once, over all workers. */
  concurrentJobs: z.number().int().min(1).optional(),
  sessions: z.number().int().min(1).optional(),
  listens: z.number().int().min(1).optional(),
  /** host:port or CIDR the tenant's tools may reach although private; operators only. */
  egressAllow: z.array(z.string().min(1).max(256)).max(100).optional(),
});
export type TenantLimits = z.infer<typeof tenantLimitsSchema>;

export const tenantSchema = z.object({
  slug: slugSchema,
  name: z.string(),
  limits: tenantLimitsSchema,
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  /** The caller's role here, if the caller is a member. */
  role: memberRoleSchema.optional(),
  /** What the caller may do here. */
  permissions: z.array(permissionSchema),
});
export type Tenant = z.infer<typeof tenantSchema>;
export const tenantPageSchema = pageSchema(tenantSchema);

export const createTenantBodySchema = z.strictObject({ slug: slugSchema, name: z.string().min(1).max(256) });
export const patchTenantBodySchema = z.strictObject({
  name: z.string().min(1).max(256).optional(),
  limits: tenantLimitsSchema.optional(),
});
