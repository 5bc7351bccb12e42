import type { CatalogueSnapshot, CatalogueTool, ServerSettings } from '../ports/catalogue.js';
import type { Detached, InputNeeded, RunContext, ToolCall, ToolOutcome, ToolRunner } from '../ports/tool-runner.js';
import type { ObjectSchema, Tool } from '../protocol/types.js';
import type { Json } from './json.js';

type Outcome = ToolOutcome | InputNeeded | Detached;
type Act = (args: Record<string, Json>, context: RunContext, call: ToolCall) => Outcome | Promise<Outcome>;

/** Settings of a fixture server. */
export const fixtureSettings: ServerSettings = {
  sessions: true,
  legacy: true,
  maxSessions: 100,
  sessionTtlMs: 1_800_000,
  requestTimeoutMs: 60_000,
  pendingMax: 100,
  replayMax: 1_024,
  keepAliveMs: 15_000,
  pageSize: 500,
};

/** One block of text. */
export function text(value: string): ToolOutcome {
  return { content: [{ type: 'text', text: value }] };
}

/** A tool that runs a function of the test. */
export function fixtureTool(
  name: string,
  act: Act,
  options: Partial<Tool> & Partial<Pick<CatalogueTool, 'stateful' | 'timeoutMs' | 'task'>> & { job?: boolean } = {},
): CatalogueTool {
  const { stateful = false, timeoutMs = 30_000, task, job = false, ...definition } = options;
  const inputSchema: ObjectSchema = { type: 'object' };
  return {
    definition: { name, description: `${name} of the fixture server`, inputSchema, ...definition },
    stateful,
    timeoutMs,
    runner: act,
    ...(job && { execution: 'job' }),
    ...(task && { task }),
  };
}

/** Runs the functions that fixture tools carry. */
export const fixtureRunner: ToolRunner = {
  run: (call, context) => (call.tool.runner as Act)(call.arguments, context, call),
};

const numbers: ObjectSchema = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
};

/** What the fixture server holds back until a test lets it go. */
export class Gate {
  readonly signals: AbortSignal[] = [];
  #open: Array<() => void> = [];
  #entered: Array<() => void> = [];
  entries = 0;

  /** Waits until `open`, or until the signal is aborted; counts who came. */
  pass(signal: AbortSignal): Promise<void> {
    const opened = this.endure(signal);
    return new Promise((resolve, reject) => {
      void opened.then(resolve);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }

  /** Waits until `open`, whatever the signal says; counts who came. */
  endure(signal: AbortSignal): Promise<void> {
    this.signals.push(signal);
    this.entries++;
    for (const wake of this.#entered.splice(0)) wake();
    return new Promise((resolve) => this.#open.push(resolve));
  }

  /** Resolves when `count` runs have come to the gate. */
  async entered(count = 1): Promise<void> {
    while (this.entries < count) await new Promise<void>((resolve) => this.#entered.push(resolve));
  }

  /** Lets everybody through who waits now. */
  open(): void {
    for (const wake of this.#open.splice(0)) wake();
  }
}

/** Tools named for what they provoke. */
export function fixtureTools(gate = new Gate()): CatalogueTool[] {
  return [
    fixtureTool('add', ({ a, b }) => text(String(a + b)), { inputSchema: numbers, title: 'Add' }),
    fixtureTool('boom', () => ({ ...text('it went wrong'), isError: true })),
    fixtureTool('crash', () => {
      throw new Error('secret internals');
    }),
    fixtureTool('crash_later', async () => {
      await null;
      throw new Error('secret internals');
    }),
    fixtureTool('unencodable', () => ({ content: [], structuredContent: { value: 1n } })),
    fixtureTool('progress', async ({ steps = 3 }, context) => {
      for (let step = 1; step <= steps; step++) {
        context.progress(step, steps, `step ${step}`);
        await null;
      }
      return text('done');
    }),
    fixtureTool('log', async ({ level = 'info', data = 'hello' }, context) => {
      await null;
      context.log(level, data, 'fixture');
      return text('logged');
    }),
    fixtureTool(
      'block',
      async (_args, context) => {
        await gate.pass(context.signal);
        return text('let through');
      },
      { timeoutMs: 5_000 },
    ),
    fixtureTool('speak_and_block', async ({ word = 'first' }, context) => {
      context.log('info', word);
      await gate.pass(context.signal);
      context.log('info', 'last');
      return text('let through');
    }),
    fixtureTool(
      'count',
      ({ fail = false, crash = false }, context) => {
        const count = Number(context.state?.count ?? 0) + 1;
        if (context.state !== undefined) context.state.count = count;
        if (crash) throw new Error('after counting');
        return { ...text(String(count)), isError: fail };
      },
      { stateful: true },
    ),
    fixtureTool(
      'count_and_block',
      async (_args, context) => {
        if (context.state !== undefined) context.state.count = Number(context.state.count ?? 0) + 1;
        await gate.pass(context.signal);
        return text(String(context.state?.count));
      },
      { stateful: true, timeoutMs: 5_000 },
    ),
    fixtureTool('structured', ({ value }) => ({ content: [], structuredContent: value })),
  ];
}

let snapshots = 0;

/** A published server of these tools, and of what else it offers; each call makes a new revision. */
export function fixtureSnapshot(
  tools: readonly CatalogueTool[] = fixtureTools(),
  settings: Partial<ServerSettings> = {},
  offers: Pick<CatalogueSnapshot, 'prompts' | 'resources' | 'resourceTemplates'> = {},
): CatalogueSnapshot {
  snapshots++;
  return {
    revision: String(snapshots),
    serverInfo: { name: 'fixture', version: '1.0.0', title: 'Fixture' },
    instructions: 'Use the tools.',
    settings: { ...fixtureSettings, ...settings },
    tools,
    ...offers,
  };
}
