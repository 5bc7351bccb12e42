/** Revision-neutral MCP model: the newest revision's shapes, from which `wire/` projects down. */

export type RequestId = string | number;
export type ProgressToken = string | number;

export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

export interface Annotations {
  audience?: ('user' | 'assistant')[];
  priority?: number;
  lastModified?: string;
}

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
export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;

export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** A JSON Schema whose root says `type: object`; kept verbatim, whatever dialect it is written in. */
export type ObjectSchema = { type: 'object'; [keyword: string]: unknown };

export interface Tool {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  inputSchema: ObjectSchema;
  outputSchema?: Record<string, unknown>;
  annotations?: ToolAnnotations;
  _meta?: Record<string, unknown>;
}

export interface ClientCapabilities {
  roots?: Record<string, unknown>;
  sampling?: Record<string, unknown>;
  elicitation?: Record<string, unknown>;
  tasks?: Record<string, unknown>;
  experimental?: Record<string, unknown>;
  extensions?: Record<string, unknown>;
}

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
