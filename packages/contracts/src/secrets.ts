import { z } from 'zod';
import { pageSchema, timestampSchema } from './common.js';

export const secretNameSchema = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'must be 1 to 64 of A-Z, 0-9 and "_", starting with a letter');

const hostSchema = z
  .string()
  .max(300)
  .regex(/^[A-Za-z0-9.[\]:-]+$/, 'must be a host name or host:port');

export const putSecretBodySchema = z.strictObject({
  value: z.string().min(1).max(65_536),
  /** Hosts (host or host:port) the value may be sent to; it is filled for no other. */
  hosts: z.array(hostSchema).min(1).max(50),
});

export const secretSchema = z.object({
  name: secretNameSchema,
  hosts: z.array(z.string()),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  lastUsedAt: timestampSchema.optional(),
});
export type Secret = z.infer<typeof secretSchema>;
export const secretPageSchema = pageSchema(secretSchema);
