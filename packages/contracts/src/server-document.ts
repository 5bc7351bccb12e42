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
  /** A token of the client's own (RFC 6749 §4.4), fetched when needed and kept until it expires. */
  z.strictObject({
    type: z.literal('oauth2-client-credentials'),
    tokenUrl: z.string().min(1).max(4_096),
    clientId: z.string().min(1).max(512),
    /** The client's secret, bound to the host of `tokenUrl`. */
    secret: secretName,
    scope: z.string().max(2_048).optional(),
    audience: z.string().max(2_048).optional(),
    /** Where the client's secret stands in the request for a token; `header` without it. */
    credentials: z.enum(['header', 'body']).optional(),
  }),
]);
export type HttpAuth = z.infer<typeof httpAuthSchema>;

/** How a list or an object stands in the query: `style` and `explode` of a parameter in OpenAPI 3. */
export const queryStyleSchema = z.strictObject({
  style: z.enum(['form', 'spaceDelimited', 'pipeDelimited', 'deepObject']).optional(),
  /** Each item a parameter of its own; without it, so for `form` and `deepObject`. */
  explode: z.boolean().optional(),
});
export type QueryStyle = z.infer<typeof queryStyleSchema>;

export const bodyTypes = ['json', 'form', 'multipart', 'text', 'binary'] as const;

export const httpRunnerSchema = z.strictObject({
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
  /** RFC 6570 template; no argument may reach scheme, host or port. */
  url: z.string().min(1).max(4_096),
  query: z.record(z.string(), z.string()).optional(),
  /** By the name of the parameter, where a list should not repeat its name and an object not be JSON. */
  queryStyles: z.record(z.string(), queryStyleSchema).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** "auto": what the URL did not use, as JSON. "none": no body. Anything else: JSON whose strings are templates. */
  body: z.unknown().optional(),
  /**
   * How the body is sent; without it as JSON, or as a form or text where the Content-Type among `headers` says so. A part
   * of `multipart` that is a file is `{"$file": {"base64" or "text", "name"?, "type"?}}`; `binary` is one text of base64.
   */
  bodyType: z.enum(bodyTypes).optional(),
  auth: httpAuthSchema.optional(),
  /** The answer is a stream: its events become progress, the last one the result. Runs as a job. */
  stream: z.enum(['none', 'sse', 'ndjson']).optional(),
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
  /** `job`: runs on a worker, outside the request. */
  execution: z.enum(['inline', 'job']).optional(),
  /** May it, must it run as an MCP task? Without it a job may, and what runs inline may not. */
  task: z.enum(['forbidden', 'optional', 'required']).optional(),
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

/** Values offered by `completion/complete`. */
const completions = z.array(z.string().max(1_024)).max(1_000);

export const promptNameSchema = z
  .string()
  .regex(/^[^\p{Cc}]{1,128}$/u, 'must be 1 to 128 characters without control characters');

export const promptArgumentSchema = z.strictObject({
  name: promptNameSchema,
  title: z.string().max(256).optional(),
  description: z.string().max(65_536).optional(),
  required: z.boolean().optional(),
  complete: completions.optional(),
});

/** `content` is one content block whose strings are templates. */
export const promptMessageSchema = z.strictObject({ role: z.enum(['user', 'assistant']), content: jsonObject });
export type PromptMessageDocument = z.infer<typeof promptMessageSchema>;

const offered = {
  title: z.string().max(256).optional(),
  description: z.string().max(65_536).optional(),
  icons: z.array(iconSchema).max(16).optional(),
  _meta: jsonObject.optional(),
  stateful: z.boolean().optional(),
  timeoutMs: durationMs(3_600_000).optional(),
};

export const promptDocumentSchema = z.strictObject({
  name: promptNameSchema,
  ...offered,
  arguments: z.array(promptArgumentSchema).max(100).optional(),
  messages: z.array(promptMessageSchema).max(1_000).optional(),
  code: codeRunnerSchema.optional(),
});
export type PromptDocument = z.infer<typeof promptDocumentSchema>;

/** Where a prompt's messages come from; exactly one of them is there. */
export const promptSources = ['messages', 'code'] as const;

export const contentAnnotationsSchema = z.strictObject({
  audience: z
    .array(z.enum(['user', 'assistant']))
    .max(2)
    .optional(),
  priority: z.number().min(0).max(1).optional(),
  lastModified: z.string().max(64).optional(),
});

const URI_MAX = 2_048;
const TEXT_MAX = 1_048_576;
/** Of 1 MiB in base64. */
const BLOB_MAX = 4 * Math.ceil(1_048_576 / 3);

const resourceFacts = {
  name: z.string().min(1).max(256),
  ...offered,
  mimeType: z.string().min(1).max(255).optional(),
  annotations: contentAnnotationsSchema.optional(),
};

export const resourceUriSchema = z.string().min(1).max(URI_MAX);

export const resourceDocumentSchema = z.strictObject({
  uri: resourceUriSchema,
  ...resourceFacts,
  /** In bytes before any encoding; of `text` and `blob` it is computed. */
  size: z.number().int().min(0).optional(),
  text: z.string().max(TEXT_MAX).optional(),
  /** Base64. */
  blob: z.string().max(BLOB_MAX).optional(),
  http: httpRunnerSchema.optional(),
  code: codeRunnerSchema.optional(),
});
export type ResourceDocument = z.infer<typeof resourceDocumentSchema>;

/** Where a resource's contents come from; exactly one of them is there. */
export const resourceSources = ['text', 'blob', 'http', 'code'] as const;

export const resourceTemplateDocumentSchema = z.strictObject({
  /** RFC 6570; its variables are the arguments of `text`, `http` and `code`. */
  uriTemplate: resourceUriSchema,
  ...resourceFacts,
  complete: z.record(z.string(), completions).optional(),
  text: z.string().max(TEXT_MAX).optional(),
  http: httpRunnerSchema.optional(),
  code: codeRunnerSchema.optional(),
});
export type ResourceTemplateDocument = z.infer<typeof resourceTemplateDocumentSchema>;

/** Where the contents of a template's resources come from; exactly one of them is there. */
export const resourceTemplateSources = ['text', 'http', 'code'] as const;

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
  /** Prompts and resources are offered when their list is there, be it empty. */
  prompts: z.array(promptDocumentSchema).max(5_000).optional(),
  resources: z.array(resourceDocumentSchema).max(20_000).optional(),
  resourceTemplates: z.array(resourceTemplateDocumentSchema).max(1_000).optional(),
  skills: notServed('skills'),
  upstreams: notServed('upstreams'),
});
export type ServerDocument = z.infer<typeof serverDocumentSchema>;
export type ServerDocumentInput = z.input<typeof serverDocumentSchema>;
