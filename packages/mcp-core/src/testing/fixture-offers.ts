import type {
  CatalogueEntry,
  CataloguePrompt,
  CatalogueResource,
  CatalogueResourceTemplate,
  CatalogueSnapshot,
  Completions,
  ServerSettings,
} from '../ports/catalogue.js';
import {
  type InputNeeded,
  type PromptGet,
  type PromptRunner,
  type ResourceRead,
  type ResourceRunner,
  type RunContext,
  RunFailure,
} from '../ports/tool-runner.js';
import type { Prompt, PromptOutcome, Resource, ResourceOutcome, ResourceTemplate } from '../protocol/types.js';
import { fixtureSnapshot, fixtureTools, Gate } from './fixture-server.js';

type Answer<T> = T | InputNeeded | Promise<T | InputNeeded>;
type PromptAct = (
  args: Readonly<Record<string, string>>,
  context: RunContext,
  request: PromptGet,
) => Answer<PromptOutcome>;
type ResourceAct = (
  variables: Readonly<Record<string, string>>,
  context: RunContext,
  request: ResourceRead,
) => Answer<ResourceOutcome>;
interface EntryOptions {
  readonly stateful?: boolean;
  readonly timeoutMs?: number;
  readonly completions?: Completions;
}

/** A prompt of one message of text. */
export function says(value: string): PromptOutcome {
  return { messages: [{ role: 'user', content: { type: 'text', text: value } }] };
}

/** The contents of one resource of text. */
export function reads(uri: string, value: string): ResourceOutcome {
  return { contents: [{ uri, mimeType: 'text/plain', text: value }] };
}

/** A prompt that runs a function of the test. */
export function fixturePrompt(
  name: string,
  act: PromptAct,
  options: Partial<Prompt> & EntryOptions = {},
): CataloguePrompt {
  return entry({ name, description: `${name} of the fixture server` }, act, options);
}

/** A resource that runs a function of the test. */
export function fixtureResource(
  uri: string,
  act: ResourceAct,
  options: Partial<Resource> & EntryOptions = {},
): CatalogueResource {
  return entry({ uri, name: uri.replace(/^.*\//, '') }, act, options);
}

/** A family of resources that runs a function of the test. */
export function fixtureTemplate(
  uriTemplate: string,
  act: ResourceAct,
  options: Partial<ResourceTemplate> & EntryOptions = {},
): CatalogueResourceTemplate {
  return entry({ uriTemplate, name: uriTemplate.replace(/:.*$/, '') }, act, options);
}

/** Runs the functions that fixture prompts carry. */
export const fixturePromptRunner: PromptRunner = {
  get: (request, context) => (request.prompt.runner as PromptAct)(request.arguments, context, request),
};

/** Runs the functions that fixture resources and templates carry. */
export const fixtureResourceRunner: ResourceRunner = {
  read: (request, context) => (request.resource.runner as ResourceAct)(request.variables, context, request),
};

/** Prompts named for what they provoke. */
export function fixturePrompts(gate = new Gate()): CataloguePrompt[] {
  const people = { who: ['Ada', 'Alan', 'Åsa', 'Barbara'] };
  return [
    fixturePrompt('greet', ({ who }) => says(`Hello, ${who}!`), {
      title: 'Greet',
      arguments: [{ name: 'who', title: 'Who', required: true }, { name: 'tone' }],
      completions: people,
    }),
    fixturePrompt('simple', () => ({ description: 'made now', ...says('simple') })),
    fixturePrompt('boom', () => {
      throw new RunFailure('the backend said no');
    }),
    fixturePrompt('crash', () => {
      throw new Error('secret internals');
    }),
    fixturePrompt('unencodable', () => ({ ...says('x'), _meta: { value: 1n } })),
    fixturePrompt('progress', async (_args, context) => {
      for (let step = 1; step <= 2; step++) {
        context.progress(step, 2);
        context.log('info', `step ${step}`);
        await null;
      }
      return says('done');
    }),
    fixturePrompt('count', (_args, context) => says(counted(context)), { stateful: true }),
    fixturePrompt('block', (_args, context) => gate.pass(context.signal).then(() => says('let through')), {
      timeoutMs: 5_000,
    }),
  ];
}

/** Resources named for what they provoke. */
export function fixtureResources(gate = new Gate()): CatalogueResource[] {
  return [
    fixtureResource('docs://readme', (_v, _c, { uri }) => reads(uri, '# Hi'), { title: 'Readme', size: 4 }),
    fixtureResource('docs://blob', (_v, _c, { uri }) => ({ contents: [{ uri, mimeType: 'image/png', blob: 'AA==' }] })),
    fixtureResource('docs://boom', async () => {
      await null;
      throw new RunFailure('the disk is away');
    }),
    fixtureResource('docs://crash', () => {
      throw new Error('secret internals');
    }),
    fixtureResource('docs://unencodable', (_v, _c, { uri }) => ({ ...reads(uri, ''), _meta: { value: 1n } })),
    fixtureResource('docs://empty', () => ({ contents: [] })),
    fixtureResource('docs://count', (_v, context, { uri }) => reads(uri, counted(context)), { stateful: true }),
    fixtureResource(
      'docs://block',
      async (_v, context, { uri }) => {
        await gate.pass(context.signal);
        return reads(uri, 'let through');
      },
      { timeoutMs: 5_000 },
    ),
  ];
}

/** Templates whose resources say what their variables stand for. */
export function fixtureTemplates(): CatalogueResourceTemplate[] {
  const shows: ResourceAct = (variables, _context, { uri }) => reads(uri, JSON.stringify(variables));
  return [
    fixtureTemplate('orders://{id}', shows, { completions: { id: Array.from({ length: 150 }, (_, at) => `O-${at}`) } }),
    fixtureTemplate('orders://{id}/lines', shows),
    fixtureTemplate('search://items{?q,limit}', shows),
  ];
}

/** A server that offers everything. */
export function fullSnapshot(settings: Partial<ServerSettings> = {}, gate = new Gate()): CatalogueSnapshot {
  return fixtureSnapshot(fixtureTools(gate), settings, {
    prompts: fixturePrompts(gate),
    resources: fixtureResources(gate),
    resourceTemplates: fixtureTemplates(),
  });
}

function entry<Definition extends object>(
  definition: Definition,
  runner: unknown,
  { stateful = false, timeoutMs = 30_000, completions, ...more }: object & EntryOptions,
): CatalogueEntry<Definition> & { readonly completions?: Completions } {
  return {
    definition: { ...definition, ...more },
    stateful,
    timeoutMs,
    runner,
    ...(completions === undefined ? {} : { completions }),
  };
}

function counted({ state }: RunContext): string {
  const count = Number(state?.count ?? 0) + 1;
  if (state !== undefined) state.count = count;
  return String(count);
}
