import {
  checkOutputSchema,
  checkToolSchema,
  normaliseInputSchema,
  type SchemaFault,
} from '../dispatch/schemas/check-tool-schema.js';
import { checkUriTemplate } from '../dispatch/uri-template.js';
import type {
  CatalogueEntry,
  CataloguePrompt,
  CatalogueResource,
  CatalogueResourceTemplate,
  CatalogueSnapshot,
  CatalogueTool,
  Completions,
  ServerSettings,
} from '../ports/catalogue.js';
import type { Implementation, ObjectSchema, Prompt, Resource, ResourceTemplate, Tool } from '../protocol/types.js';
import { PeerUsageError } from './errors.js';

/** How an offer is run. */
export interface RunOptions {
  /** Runs of one session take turns and share `context.state`. */
  readonly stateful?: boolean;
  /** Longest run in milliseconds; without it the server's. */
  readonly timeoutMs?: number;
}

/** A tool but for its name. Without `inputSchema` it takes any object. */
export type ToolDefinition = Omit<Tool, 'name' | 'inputSchema'> &
  RunOptions & { readonly inputSchema?: Readonly<Record<string, unknown>> };
/** A prompt but for its name. */
export type PromptDefinition = Omit<Prompt, 'name'> & RunOptions & { readonly completions?: Completions };
/** A resource but for its URI. Without `name` the URI is its name. */
export type ResourceDefinition = Omit<Resource, 'uri' | 'name'> & RunOptions & { readonly name?: string };
/** A resource template but for its URI template, which is its name if it has no other. */
export type ResourceTemplateDefinition = Omit<ResourceTemplate, 'uriTemplate' | 'name'> &
  RunOptions & { readonly name?: string; readonly completions?: Completions };

/** What a server offers, and the snapshot of it that dispatch serves. */
export class Offers {
  readonly #tools = new Map<string, CatalogueTool>();
  readonly #prompts = new Map<string, CataloguePrompt>();
  readonly #resources = new Map<string, CatalogueResource>();
  readonly #templates = new Map<string, CatalogueResourceTemplate>();
  #revision = 0;
  #snapshot: CatalogueSnapshot | undefined;

  constructor(
    private readonly serverInfo: Implementation,
    private readonly instructions: string | undefined,
    private readonly settings: ServerSettings,
    private readonly timeoutMs: number,
  ) {}

  addTool(name: string, { inputSchema = {}, ...given }: ToolDefinition, runner: unknown): void {
    const [definition, entry] = this.#entry(given, runner);
    const schema = normaliseInputSchema(inputSchema);
    refuseFaults(`inputSchema of tool ${name}`, checkToolSchema(schema));
    const { outputSchema } = definition;
    if (outputSchema !== undefined) refuseFaults(`outputSchema of tool ${name}`, checkOutputSchema(outputSchema));
    const tool = { ...definition, name, inputSchema: schema as ObjectSchema };
    this.#add(this.#tools, 'tool', name, { ...entry, definition: tool });
  }

  addPrompt(name: string, { completions, ...given }: PromptDefinition, runner: unknown): void {
    const [definition, entry] = this.#entry(given, runner);
    this.#add(this.#prompts, 'prompt', name, { ...entry, completions, definition: { ...definition, name } });
  }

  addResource(uri: string, { name = uri, ...given }: ResourceDefinition, runner: unknown): void {
    const [definition, entry] = this.#entry(given, runner);
    this.#add(this.#resources, 'resource', uri, { ...entry, definition: { ...definition, name, uri } });
  }

  addTemplate(
    uriTemplate: string,
    { name = uriTemplate, completions, ...given }: ResourceTemplateDefinition,
    runner: unknown,
  ): void {
    const fault = checkUriTemplate(uriTemplate);
    if (fault !== undefined) {
      throw new PeerUsageError('INVALID_DEFINITION', `The URI template ${uriTemplate} cannot be used: ${fault}`);
    }
    const [rest, entry] = this.#entry(given, runner);
    const definition = { ...rest, name, uriTemplate };
    this.#add(this.#templates, 'resource template', uriTemplate, { ...entry, completions, definition });
  }

  /** False when there was none. */
  remove(kind: 'tool' | 'prompt' | 'resource' | 'resourceTemplate', name: string): boolean {
    const maps = {
      tool: this.#tools,
      prompt: this.#prompts,
      resource: this.#resources,
      resourceTemplate: this.#templates,
    };
    this.#snapshot = undefined;
    return maps[kind].delete(name);
  }

  /** The same object until something changes. */
  get snapshot(): CatalogueSnapshot {
    this.#snapshot ??= {
      revision: String(++this.#revision),
      serverInfo: this.serverInfo,
      ...(this.instructions === undefined ? {} : { instructions: this.instructions }),
      settings: this.settings,
      tools: [...this.#tools.values()],
      ...(this.#prompts.size > 0 ? { prompts: [...this.#prompts.values()] } : {}),
      ...(this.#resources.size + this.#templates.size > 0
        ? { resources: [...this.#resources.values()], resourceTemplates: [...this.#templates.values()] }
        : {}),
    };
    return this.#snapshot;
  }

  #entry<T extends RunOptions>(given: T, runner: unknown) {
    const { stateful = false, timeoutMs = this.timeoutMs, ...definition } = given;
    return [definition, { stateful, timeoutMs, runner }] as const;
  }

  #add<T extends CatalogueEntry<unknown>>(offers: Map<string, T>, kind: string, name: string, offer: T): void {
    if (name === '') throw new PeerUsageError('INVALID_DEFINITION', `A ${kind} needs a name that is not empty`);
    if (offers.has(name)) throw new PeerUsageError('DUPLICATE_NAME', `A ${kind} ${name} is offered already`);
    offers.set(name, offer);
    this.#snapshot = undefined;
  }
}

function refuseFaults(what: string, faults: readonly SchemaFault[]): void {
  if (faults.length === 0) return;
  const words = faults.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)).join('; ');
  throw new PeerUsageError('INVALID_DEFINITION', `The ${what} cannot be used: ${words}`);
}
