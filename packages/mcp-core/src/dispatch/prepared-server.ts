import type { PreEncoded } from '../jsonrpc/encode.js';
import type { CatalogueEntry, CataloguePrompt, CatalogueSnapshot, CatalogueTool } from '../ports/catalogue.js';
import { asciiUri } from '../protocol/ascii-uri.js';
import type { Implementation, Tool } from '../protocol/types.js';
import { type HeaderRule, readHeaderRules } from '../wire/rev-2026-07-28/param-headers.js';
import type { Revision } from '../wire/revision.js';
import { Listing } from './listing.js';
import { type FoundResource, ResourceIndex } from './resource-index.js';

export interface PreparedTool {
  readonly catalogued: CatalogueTool;
  readonly headerRules: readonly HeaderRule[];
}

/** The lists a server shows, each by the method that shows it. */
export type ListName = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

/** What is derived from a snapshot, made once and kept as long as the snapshot lives. */
export class PreparedServer {
  readonly implementation: Implementation;
  readonly #tools = new Map<string, CatalogueTool>();
  readonly #prepared = new Map<string, PreparedTool>();
  readonly #listings = new Map<string, Listing<unknown>>();
  #prompts: ReadonlyMap<string, CataloguePrompt> | undefined;
  #resources: ResourceIndex | undefined;

  constructor(
    readonly key: string,
    readonly snapshot: CatalogueSnapshot,
  ) {
    this.implementation = { ...snapshot.serverInfo };
    for (const tool of snapshot.tools) this.#tools.set(tool.definition.name, tool);
  }

  tool(name: string): PreparedTool | undefined {
    const known = this.#prepared.get(name);
    if (known !== undefined) return known;
    const catalogued = this.#tools.get(name);
    if (catalogued === undefined) return undefined;
    const prepared = { catalogued, headerRules: readHeaderRules(catalogued.definition.inputSchema).rules };
    this.#prepared.set(name, prepared);
    return prepared;
  }

  prompt(name: string): CataloguePrompt | undefined {
    this.#prompts ??= new Map((this.snapshot.prompts ?? []).map((prompt) => [prompt.definition.name, prompt]));
    return this.#prompts.get(name);
  }

  /** The resource of that URI, or else the first template it fits. */
  resource(uri: string): FoundResource | undefined {
    return this.resources.find(uri);
  }

  get resources(): ResourceIndex {
    this.#resources ??= new ResourceIndex(this.snapshot.resources ?? [], this.snapshot.resourceTemplates ?? []);
    return this.#resources;
  }

  /** @throws MCPError -32602 for a cursor that is not one of this list's */
  page(list: ListName, revision: Revision, cursor: unknown): PreEncoded {
    const key = `${list} ${revision.name}`;
    let listing = this.#listings.get(key);
    if (listing === undefined) {
      listing = this.#listing(list, revision);
      this.#listings.set(key, listing);
    }
    return listing.page(cursor);
  }

  #listing(list: ListName, revision: Revision): Listing<unknown> {
    const { tools, prompts = [], resources = [], resourceTemplates = [] } = this.snapshot;
    const make = <Definition>(
      items: readonly CatalogueEntry<Definition>[],
      keyOf: (definition: Definition) => string,
      shown: (definition: Definition) => object,
    ) =>
      new Listing<CatalogueEntry<Definition>>({
        cursorScope: `${list} ${this.key}`,
        member: list,
        items,
        pageSize: this.snapshot.settings.pageSize,
        keyOf: ({ definition }) => keyOf(definition),
        shown: ({ definition }) => shown(definition),
        envelope: { ...revision.cacheHints(), ...revision.envelope(this.implementation) },
      }) as Listing<unknown>;
    const name = (definition: { name: string }) => definition.name;
    switch (list) {
      case 'tools':
        return make(tools.map(listed), name, (tool) => revision.listedTool(tool));
      case 'prompts':
        return make(prompts, name, (prompt) => revision.listedPrompt(prompt));
      case 'resources':
        return make(
          resources,
          ({ uri }) => uri,
          (resource) => revision.listedResource({ ...resource, uri: asciiUri(resource.uri) }),
        );
      case 'resourceTemplates':
        return make(
          resourceTemplates,
          ({ uriTemplate }) => uriTemplate,
          (template) => revision.listedResourceTemplate({ ...template, uriTemplate: asciiUri(template.uriTemplate) }),
        );
    }
  }
}

/** Whether a tool may run as a task is said by how it runs, and by nothing else. */
function listed(tool: CatalogueTool): CatalogueEntry<Tool> {
  const { task = 'forbidden', definition } = tool;
  const { execution: _, ...shown } = definition;
  return { ...tool, definition: task === 'forbidden' ? shown : { ...shown, execution: { taskSupport: task } } };
}

const servers = new WeakMap<CatalogueSnapshot, PreparedServer>();

/** One `PreparedServer` a snapshot. */
export function prepare(key: string, snapshot: CatalogueSnapshot): PreparedServer {
  let prepared = servers.get(snapshot);
  if (prepared === undefined || prepared.key !== key) {
    prepared = new PreparedServer(key, snapshot);
    servers.set(snapshot, prepared);
  }
  return prepared;
}
