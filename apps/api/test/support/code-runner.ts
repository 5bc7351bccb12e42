import { readFileSync } from 'node:fs';
import { InputNeeded, type RoundInputs, type RunContext, type ToolOutcome } from '@gantry/mcp-core';
import { afterAll, beforeAll } from 'vitest';
import { type CodeRun, CodeRunner, type CodeRunnerOptions } from '../../src/modules/tools/runners/code/index.js';
import { buildSandbox } from './build-sandbox.js';

/** What `ctx.error` becomes in these tests. */
export class TestProtocolError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export interface RecordedContext extends RunContext {
  readonly notes: unknown[][];
}

/** What a first round finds. */
export const firstRound: RoundInputs = { answers: {}, responses: undefined, requestState: undefined, kept: {} };

/** A context that keeps what the tool sends, in order. */
export function recordedContext(more: Partial<RunContext> = {}): RecordedContext {
  const notes: unknown[][] = [];
  return {
    signal: new AbortController().signal,
    client: { name: 'probe', version: '1.2.3', revision: '2025-11-25', capabilities: { roots: {} } },
    principal: { kind: 'key', id: 'key-1', scopes: ['mcp:call'] },
    inputs: firstRound,
    state: undefined,
    notes,
    progress: (...values) => void notes.push(['progress', ...values]),
    log: (...values) => void notes.push(['log', ...values]),
    resourceUpdated: (uri) => void notes.push(['resourceUpdated', uri]),
    listChanged: (list) => void notes.push(['listChanged', list]),
    closeStream: (retryMs) => void notes.push(['closeStream', retryMs]),
    ...more,
  };
}

/** The code of a case file is the body of a tool. */
export function caseSource(name: string): string {
  const body = readFileSync(new URL(`../cases/${name}.js`, import.meta.url), 'utf8');
  return `export default async (args, ctx) => {\n${body}\n}`;
}

/** A runner with real processes for all tests of a file. */
export function useCodeRunner(options: Partial<CodeRunnerOptions> = {}) {
  let sandbox: ReturnType<typeof buildSandbox>;
  const used = {
    runner: undefined as unknown as CodeRunner,
    /** Runs the source of a tool that asks nothing. */
    async run(source: string, more: Partial<CodeRun> = {}): Promise<ToolOutcome> {
      const outcome = await used.round(source, more);
      if (outcome instanceof InputNeeded) throw new Error(`the tool asks: ${JSON.stringify(outcome)}`);
      return outcome;
    },
    /** Runs one round of a source, given as a whole module or as the body of its function. */
    round(source: string, more: Partial<CodeRun> = {}): Promise<ToolOutcome | InputNeeded> {
      return used.runner.run({ tenantId: 'acme', toolName: 'probe', arguments: {}, ...more, ...given(source, more) });
    },
  };
  beforeAll(async () => {
    sandbox = buildSandbox();
    used.runner = new CodeRunner({
      processes: 1,
      threads: 4,
      entry: sandbox.entry,
      protocolError: (code, message, data) => new TestProtocolError(code, message, data),
      ...options,
    });
    await used.runner.start();
  });
  afterAll(async () => {
    await used.runner?.close();
    sandbox?.remove();
  });
  return used;
}

/** A source as a whole module, and a context. */
export function given(source: string, { context = recordedContext() }: { readonly context?: RunContext } = {}) {
  const module = source.includes('export ') ? source : `export default async (args, ctx) => { ${source} }`;
  return { source: module, context };
}

export const textOf = (outcome: ToolOutcome): string =>
  outcome.content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('\n');

/** Something a test waits for. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
