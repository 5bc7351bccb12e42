import { z } from 'zod';

/** Names a tenant or a server in every URL. */
export const slugSchema = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be 1 to 63 of a-z, 0-9 and "-", not starting or ending with "-"',
  );

/** ISO 8601, UTC. */
export const timestampSchema = z.iso.datetime();

export const idSchema = z.uuid();

/** Query of every list: a page size and the cursor of the page before. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(512).optional(),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;

/** Answer of every list. `nextCursor` is absent on the last page. */
export function pageSchema<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), nextCursor: z.string().optional() });
}
export interface Page<T> {
  items: T[];
  nextCursor?: string;
}

/** One fault or warning: `path` is a JSON Pointer (RFC 6901) into what was sent. */
export const pointedMessageSchema = z.object({ path: z.string(), message: z.string() });
export type PointedMessage = z.infer<typeof pointedMessageSchema>;

/** RFC 9457 problem details, as every refused management call answers. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  /** Stable and machine readable; see `problemCodes`. */
  code: z.string(),
  detail: z.string().optional(),
  requestId: z.string().optional(),
  errors: z.array(pointedMessageSchema).optional(),
});
export type Problem = z.infer<typeof problemSchema>;
