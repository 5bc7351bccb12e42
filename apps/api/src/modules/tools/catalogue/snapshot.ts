import { type ServerDocument, serverSettingsDefaults, type TenantLimits, type ToolDocument } from '@gantry/contracts';
import {
  type CatalogueSnapshot,
  type CatalogueTool,
  normaliseInputSchema,
  type ObjectSchema,
  type Tool,
} from '@gantry/mcp-core';

const DEFAULT_TOOL_TIMEOUT_MS = 30_000;

/** A server as it was published, with what its tenant may use. */
export interface PublishedServer {
  readonly tenantId: string;
  readonly tenantSlug: string;
  readonly tenantLimits: TenantLimits;
  readonly serverId: string;
  readonly serverSlug: string;
  readonly revision: number;
  readonly document: ServerDocument;
}

/** The key under which mcp-core knows a hosted server: sessions, streams and changes belong to it. */
export function serverKey({ tenantId, serverId }: Pick<PublishedServer, 'tenantId' | 'serverId'>): string {
  return `${tenantId}/${serverId}`;
}

/** The tenant of a server's key. */
export function tenantOfKey(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

/** What a tool's runner is made from; kept on the catalogue tool, where only the runners look at it. */
export interface ToolBinding {
  readonly tenantId: string;
  readonly serverId: string;
  readonly egressAllow: readonly string[];
  readonly document: ToolDocument;
  /** The compiled runner, made at the first call: a server of thousands of tools starts with none. */
  plan?: unknown;
}

/** Makes the immutable picture that mcp-core serves from a published document. */
export function buildSnapshot(published: PublishedServer): CatalogueSnapshot {
  const { document } = published;
  const { allowedOrigins: _, ...settings } = { ...serverSettingsDefaults, ...document.settings };
  return {
    revision: `${published.serverId}:${published.revision}`,
    serverInfo: { name: document.name, version: document.version, title: document.title },
    instructions: document.instructions,
    settings,
    tools: document.tools.map((tool) => catalogueTool(tool, published)),
  };
}

function catalogueTool(document: ToolDocument, published: PublishedServer): CatalogueTool {
  const binding: ToolBinding = {
    tenantId: published.tenantId,
    serverId: published.serverId,
    egressAllow: published.tenantLimits.egressAllow ?? [],
    document,
  };
  return {
    definition: definitionOf(document),
    stateful: document.stateful ?? false,
    timeoutMs: document.timeoutMs ?? DEFAULT_TOOL_TIMEOUT_MS,
    runner: binding,
  };
}

/** What clients see of a tool. Schemas pass verbatim, but for the root type that every client needs. */
export function definitionOf(document: ToolDocument): Tool {
  const { name, title, description, icons, inputSchema, outputSchema, annotations, _meta } = document;
  return {
    name,
    title,
    description,
    icons,
    inputSchema: normaliseInputSchema(inputSchema) as ObjectSchema,
    outputSchema,
    annotations,
    _meta,
  };
}
