import { z } from 'zod';
import { idSchema, pageSchema, slugSchema, timestampSchema } from './common.js';
import { scopeSchema } from './roles.js';

export const apiKeySchema = z.object({
  id: idSchema,
  name: z.string(),
  /** The first characters of the key: enough to recognise it, useless to anybody else. */
  prefix: z.string(),
  scopes: z.array(scopeSchema),
  /** Slugs of the servers it is narrowed to; empty means all. */
  servers: z.array(slugSchema),
  createdAt: timestampSchema,
  expiresAt: timestampSchema.optional(),
  lastUsedAt: timestampSchema.optional(),
  revokedAt: timestampSchema.optional(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;
export const apiKeyPageSchema = pageSchema(apiKeySchema);

export const createKeyBodySchema = z.strictObject({
  name: z.string().min(1).max(256),
  scopes: z.array(scopeSchema).min(1).max(10).default(['mcp:call']),
  servers: z.array(slugSchema).max(1_000).default([]),
  expiresAt: timestampSchema.optional(),
});

/** The only answer that ever holds the key itself. */
export const createdKeySchema = apiKeySchema.extend({ key: z.string() });
export type CreatedKey = z.infer<typeof createdKeySchema>;

export const rotateKeyBodySchema = z
  .strictObject({
    /** How long the old value goes on working. */
    overlapMs: z
      .number()
      .int()
      .min(0)
      .max(30 * 24 * 3_600_000)
      .default(0),
  })
  .prefault({});
