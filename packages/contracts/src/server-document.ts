import { z } from 'zod';

/*
 * The server document: everything a tenant says about one hosted MCP server.
 * These schemas hold its shape; what needs more than one field to judge (duplicate names, exactly one
 * runner, JSON Schema dialects) is judged where documents are published.
 */

export const toolNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,128}$/, 'must be 1 to 128 of A-Z, a-z, 0-9, "_", "." and "-"');

const jsonObject = z.record(z.string(), z.unknown());
const durationMs = (max: number) => z.number().int().min(1).max(max);

export const iconSchema = z.strictObject({
  src: z.string().regex(/^(https:|data:)/, 'must be an https: or data: URL'),
  mimeType: z.string().optional(),
  sizes: z.array(z.string()).optional(),
  theme: z.enum(['light', 'dark']).optional(),
});

export const serverSettingsSchema = z.strictObject({
  sessions: z.boolean().optional(),
  legacy: z.boolean().optional(),
  allowedOrigins: z.array(z.string()).max(100).optional(),
  maxSessions: z.number().int().min(1).max(1_000_000).optional(),
  sessionTtlMs: durationMs(7 * 24 * 3_600_000).optional(),
  requestTimeoutMs: durationMs(3_600_000).optional(),
  pendingMax: z.number().int().min(1).max(10_000).optional(),
  replayMax: z.number().int().min(0).max(100_000).optional(),
  keepAliveMs: z.number().int().min(0).max(25_000).optional(),
  pageSize: z.number().int().min(1).max(5_000).optional(),
});

/** What is left out of `settings` is this; applied when a server is served. */
export const serverSettingsDefaults = {
  sessions: true,
  legacy: true,
  allowedOrigins: [] as string[],
  maxSessions: 50_000,
  sessionTtlMs: 1_800_000,
  requestTimeoutMs: 60_000,
  pendingMax: 100,
  replayMax: 1_024,
  keepAliveMs: 15_000,
  pageSize: 500,
} as const;

const secretName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'must be 1 to 64 of A-Z, 0-9 and "_", starting with a letter');

export const httpAuthSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('bearer'), secret: secretName }),
  /** Without `username` the secret holds "user:password". */
  z.strictObject({ type: z.literal('basic'), username: z.string().optional(), secret: secretName }),
  z.strictObject({ type: z.literal('header'), name: z.string().min(1).max(128), secret: secretName }),
  z.strictObject({ type: z.literal('query'), name: z.string().min(1).max(128), secret: secretName }),
]);
export type HttpAuth = z.infer<typeof httpAuthSchema>;

export const httpRunnerSchema = z.strictObject({
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
  /** RFC 6570 template; no argument may reach scheme, host or port. */
  url: z.string().min(1).max(4_096),
  query: z.record(z.string(), z.string()).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** "auto": what the URL did not use, as JSON. "none": no body. Anything else: JSON whose strings are templates. */
  body: z.unknown().optional(),
  auth: httpAuthSchema.optional(),
  stream: z.literal('none', 'only "none" is served by this version').optional(),
});
export type HttpRunnerSpec = z.infer<typeof httpRunnerSchema>;

export const codeRunnerSchema = z.strictObject({ source: z.string().min(1).max(262_144) });

export const templateRunnerSchema = z.strictObject({
  text: z.string().max(1_048_576).optional(),
  content: z.array(jsonObject).max(1_000).optional(),
});
export type TemplateRunnerSpec = z.infer<typeof templateRunnerSchema>;

export const toolAnnotationsSchema = z.strictObject({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});

export const toolDocumentSchema = z.strictObject({
  name: toolNameSchema,
  title: z.string().max(256).optional(),
  description: z.string().max(65_536).optional(),
  icons: z.array(iconSchema).max(16).optional(),
  annotations: toolAnnotationsSchema.optional(),
  inputSchema: jsonObject,
  outputSchema: jsonObject.optional(),
  _meta: jsonObject.optional(),
  execution: z.literal('inline', 'only "inline" is served by this version').optional(),
  task: z.literal('forbidden', 'only "forbidden" is served by this version').optional(),
  stateful: z.boolean().optional(),
  timeoutMs: durationMs(3_600_000).optional(),
  http: httpRunnerSchema.optional(),
  code: codeRunnerSchema.optional(),
  template: templateRunnerSchema.optional(),
});
export type ToolDocument = z.infer<typeof toolDocumentSchema>;

/** The runners a tool may name; exactly one of them is there. */
export const runnerKinds = ['http', 'code', 'template'] as const;
export type RunnerKind = (typeof runnerKinds)[number];

const notServed = (what: string) => z.array(z.never(), `${what} are not served by this version`).max(0).optional();

export const serverDocumentSchema = z.strictObject({
  name: z.string().min(1).max(256),
  title: z.string().max(256).optional(),
  version: z.string().min(1).max(64).default('1.0.0'),
  instructions: z.string().max(65_536).optional(),
  access: z.enum(['key', 'public']).default('key'),
  autoPublish: z.boolean().default(true),
  settings: serverSettingsSchema.default({}),
  tools: z.array(toolDocumentSchema).max(20_000).default([]),
  prompts: notServed('prompts'),
  resources: notServed('resources'),
  resourceTemplates: notServed('resource templates'),
  skills: notServed('skills'),
  upstreams: notServed('upstreams'),
});
export type ServerDocument = z.infer<typeof serverDocumentSchema>;
export type ServerDocumentInput = z.input<typeof serverDocumentSchema>;
