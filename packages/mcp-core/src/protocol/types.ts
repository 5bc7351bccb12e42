/** Revision-neutral MCP model: the newest revision's shapes, from which `wire/` projects down. */

export type { RequestId } from '../jsonrpc/messages.js';
export type { ProgressToken } from '../jsonrpc/pending-requests.js';

/** Severities of log messages (RFC 5424), as on the wire. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** For whom content is and how much it matters (schema: Annotations). `priority` is 0 to 1, `lastModified` ISO 8601. */
export interface Annotations {
  audience?: ('user' | 'assistant')[];
  priority?: number;
  lastModified?: string;
}

/** An image for a user interface (schema: Icon). `sizes` are such as "48x48" or "any". */
export interface Icon {
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: 'light' | 'dark';
}

interface Meta {
  _meta?: Record<string, unknown>;
  annotations?: Annotations;
}
/** Content blocks (server/tools, content types). `data` and `blob` are base64. */
export type TextContent = Meta & { type: 'text'; text: string };
export type ImageContent = Meta & { type: 'image'; data: string; mimeType: string };
export type AudioContent = Meta & { type: 'audio'; data: string; mimeType: string };
export type ResourceContents = {
  uri: string;
  mimeType?: string;
  _meta?: Record<string, unknown>;
} & ({ text: string } | { blob: string });
export type EmbeddedResource = Meta & { type: 'resource'; resource: ResourceContents };
export type ResourceLink = Meta & {
  type: 'resource_link';
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  icons?: Icon[];
};
/** One block of a tool's result. */
export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;

/** Hints on what a tool does (schema: ToolAnnotations). Clients must not rely on them. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** A JSON Schema whose root says `type: object`; kept verbatim, whatever dialect it is written in. */
export type ObjectSchema = { type: 'object'; [keyword: string]: unknown };

/** A tool as `tools/list` shows it (schema: Tool). */
export interface Tool {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  inputSchema: ObjectSchema;
  outputSchema?: Record<string, unknown>;
  annotations?: ToolAnnotations;
  /** Only 2025-11-25 lists it (tasks). */
  execution?: { taskSupport?: 'forbidden' | 'optional' | 'required' };
  _meta?: Record<string, unknown>;
}

/** What a client can be asked for (schema: ClientCapabilities); a member that is there is a yes. */
export interface ClientCapabilities {
  roots?: Record<string, unknown>;
  sampling?: Record<string, unknown>;
  elicitation?: Record<string, unknown>;
  tasks?: Record<string, unknown>;
  experimental?: Record<string, unknown>;
  extensions?: Record<string, unknown>;
}

/** Name and version of a program that speaks MCP (schema: Implementation). */
export interface Implementation {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
}

/** The neutral result of a tool: the newest revision's shape without its envelope fields. */
export interface ToolOutcome {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  /** The tool ran and failed, in words the model can use. */
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** An argument of a prompt (schema: PromptArgument). */
export interface PromptArgument {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
}

/** A prompt as `prompts/list` shows it (schema: Prompt). */
export interface Prompt {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  arguments?: PromptArgument[];
  _meta?: Record<string, unknown>;
}

/** One message of a prompt (schema: PromptMessage). */
export interface PromptMessage {
  role: 'user' | 'assistant';
  content: ContentBlock;
}

/** The neutral result of a prompt. */
export interface PromptOutcome {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface ResourceFacts {
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  annotations?: Annotations;
  icons?: Icon[];
  _meta?: Record<string, unknown>;
}

/** A resource as `resources/list` shows it (schema: Resource). `size` is in bytes before any encoding. */
export type Resource = ResourceFacts & { uri: string; size?: number };

/** A family of resources (schema: ResourceTemplate). `uriTemplate` is of RFC 6570. */
export type ResourceTemplate = ResourceFacts & { uriTemplate: string };

/** The neutral result of reading a resource. */
export interface ResourceOutcome {
  readonly contents: readonly ResourceContents[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What a server may ask its client while a request is being answered (client features). */
export type InputMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

/** One question, in the newest revision's shape (schema: InputRequest). */
export interface InputRequest {
  readonly method: InputMethod;
  readonly params?: Readonly<Record<string, unknown>>;
}
