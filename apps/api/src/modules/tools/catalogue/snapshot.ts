import {
  type PromptDocument,
  type ResourceDocument,
  type ResourceTemplateDocument,
  type ServerDocument,
  serverSettingsDefaults,
  type TenantLimits,
  type ToolDocument,
} from '@gantry/contracts';
import type {
  CatalogueEntry,
  CataloguePrompt,
  CatalogueSnapshot,
  CatalogueTool,
  Completions,
  ServerSettings,
} from '@gantry/mcp-core';
import {
  promptDefinition,
  resourceDefinition,
  resourceTemplateDefinition,
  toolDefinition,
} from '../../servers/definitions.js';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_JOB_TIMEOUT_MS = 3_600_000;

type BindingFacts = 'tenantId' | 'serverId' | 'tenantLimits';

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

/** What a runner is made from; kept on the catalogue entry, where only the runners look at it. */
export interface Binding<Document> {
  readonly tenantId: string;
  readonly serverId: string;
  readonly egressAllow: readonly string[];
  readonly document: Document;
  /** The compiled runner, made at the first call: a server of thousands of tools starts with none. */
  plan?: unknown;
}
export type ToolBinding = Binding<ToolDocument>;
export type PromptBinding = Binding<PromptDocument>;
export type ResourceBinding = Binding<ResourceDocument | ResourceTemplateDocument>;

/**
 * Makes the immutable picture that mcp-core serves from a published document.
 * @param jobTimeoutMs how long a job may run whose tool says nothing of it
 */
export function buildSnapshot(published: PublishedServer, jobTimeoutMs = DEFAULT_JOB_TIMEOUT_MS): CatalogueSnapshot {
  const { document } = published;
  const settings = settingsOf(document);
  const { tools, prompts, resources, resourceTemplates } = document;
  return {
    revision: `${published.serverId}:${published.revision}`,
    serverInfo: { name: document.name, version: document.version, title: document.title },
    instructions: document.instructions,
    settings,
    tools: tools.map((tool) => catalogueTool(tool, published, jobTimeoutMs)),
    ...(prompts && { prompts: prompts.map((prompt) => cataloguePrompt(prompt, published)) }),
    ...(resources && {
      resources: resources.map((resource) => entry(resource, resourceDefinition(resource), published)),
    }),
    ...(resourceTemplates && {
      resourceTemplates: resourceTemplates.map((template) => ({
        ...entry(template, resourceTemplateDefinition(template), published),
        completions: template.complete,
      })),
    }),
  };
}

/** What mcp-core needs to know of a document's settings. */
export function settingsOf(document: ServerDocument): ServerSettings {
  const { allowedOrigins: _, ...settings } = { ...serverSettingsDefaults, ...document.settings };
  return settings;
}

function entry<Document extends { stateful?: boolean; timeoutMs?: number }, Definition>(
  document: Document,
  definition: Definition,
  published: Pick<PublishedServer, BindingFacts>,
): CatalogueEntry<Definition> {
  const binding: Binding<Document> = {
    tenantId: published.tenantId,
    serverId: published.serverId,
    egressAllow: published.tenantLimits.egressAllow ?? [],
    document,
  };
  return {
    definition,
    stateful: document.stateful ?? false,
    timeoutMs: document.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    runner: binding,
  };
}

function catalogueTool(tool: ToolDocument, published: PublishedServer, jobTimeoutMs: number): CatalogueTool {
  const execution = executionOf(tool);
  const task = tool.task ?? (execution === 'job' ? 'optional' : 'forbidden');
  const definition = toolDefinition(tool);
  const timeoutMs = tool.timeoutMs ?? (execution === 'job' ? jobTimeoutMs : DEFAULT_TIMEOUT_MS);
  const shown = task === 'forbidden' ? definition : { ...definition, execution: { taskSupport: task } };
  return { ...entry(tool, shown, published), timeoutMs, execution, task };
}

/** A streamed answer makes a job of its tool. */
export function executionOf({ execution, http }: Pick<ToolDocument, 'execution' | 'http'>): 'inline' | 'job' {
  return execution ?? (http?.stream === undefined || http.stream === 'none' ? 'inline' : 'job');
}

function cataloguePrompt(prompt: PromptDocument, published: PublishedServer): CataloguePrompt {
  const completions: Completions = Object.fromEntries(
    (prompt.arguments ?? []).flatMap(({ name, complete }) => (complete === undefined ? [] : [[name, complete]])),
  );
  return { ...entry(prompt, promptDefinition(prompt), published), completions };
}
