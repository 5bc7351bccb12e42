import { z } from 'zod';
import { slugSchema, timestampSchema } from './common.js';
import { memberRoleSchema, platformRoleSchema } from './roles.js';

export const passwordSchema = z.string().min(12, 'must have at least 12 characters').max(256);

/** Whether the first operator has yet to be set up. */
export const setupStateSchema = z.object({ needed: z.boolean() });

/** Creates the first operator; refused once anybody exists. */
export const setupBodySchema = z.strictObject({
  adminToken: z.string().min(1).max(512),
  email: z.email().max(254),
  name: z.string().min(1).max(128),
  password: passwordSchema,
});

export const signInBodySchema = z.strictObject({ email: z.string().max(254), password: z.string().max(256) });

/** `token` is a console session; the console keeps it in an HttpOnly cookie and sends it as a bearer token. */
export const signedInSchema = z.object({ token: z.string(), expiresAt: timestampSchema });
export type SignedIn = z.infer<typeof signedInSchema>;

export const meSchema = z.object({
  kind: z.enum(['user', 'automation', 'key']),
  id: z.string(),
  email: z.string().optional(),
  name: z.string().optional(),
  platformRole: platformRoleSchema.optional(),
  tenants: z.array(z.object({ slug: slugSchema, name: z.string(), role: memberRoleSchema })),
});
export type Me = z.infer<typeof meSchema>;
