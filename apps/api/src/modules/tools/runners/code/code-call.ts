import type { InputNeeded, LogLevel, RoundInputs, RunContext } from '@gantry/mcp-core';
import { type CodeFetch, serveFetch } from './code-fetch.js';
import { inputNeededOf, UnusableQuestions, WantsToDetach } from './input-needed.js';
import type { QueuedCall } from './queued-call.js';
import { limitText, type RunKind, thrownText } from './run-kinds.js';
import { passOn } from './run-notes.js';
import { deeperThan, maxJsonDepth } from './sandbox/json-depth.js';
import type { CodeLimits, HostCall, Notes, RunEnd, RunRequest } from './sandbox/messages.js';
import type { SandboxProcess } from './sandbox-process.js';

/** One run of tenant code, whatever it is the code of. */
export interface SourceRun {
  readonly tenantId: string;
  /** An ES module whose default export is `async (args, ctx) => result`. */
  readonly source: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly context: RunContext;
  readonly limits?: Partial<CodeLimits>;
  readonly fetch?: CodeFetch;
  /** Lines of `console.*`, for the person who tries the tool. */
  readonly onConsole?: (level: LogLevel, line: string) => void;
}

/** Makes the error that becomes the JSON-RPC error of the call. */
export type ProtocolErrorFactory = (code: number, message: string, data?: unknown) => Error;

/** What a call takes from its runner. */
export interface CodeCallSettings {
  readonly limits: CodeLimits;
  readonly maxBodyBytes: number;
  readonly protocolError: ProtocolErrorFactory;
}

/** A run in progress: what the sandbox says of it is turned into calls of its context, and its end into an outcome. */
export class CodeCall<T> implements QueuedCall {
  readonly outcome: Promise<T | InputNeeded>;
  readonly tenantId: string;
  readonly label: string;
  process?: SandboxProcess;
  private resolve!: (outcome: T | InputNeeded) => void;
  private reject!: (error: Error) => void;
  private readonly over = new AbortController();

  constructor(
    readonly id: number,
    private readonly run: SourceRun,
    private readonly kind: RunKind<T>,
    private readonly settings: CodeCallSettings,
  ) {
    this.tenantId = run.tenantId;
    this.label = kind.subject.charAt(0).toLowerCase() + kind.subject.slice(1);
    this.outcome = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  get holdMs(): number {
    return this.settings.limits.wallMs + 2_000;
  }

  get memoryBytes(): number {
    return this.settings.limits.memoryBytes;
  }

  request(): RunRequest {
    const { source, context } = this.run;
    return {
      t: 'run',
      id: this.id,
      tenantId: this.tenantId,
      source,
      argumentsJson: JSON.stringify(this.run.arguments),
      contextJson: JSON.stringify(contextOf(context)),
      limits: this.settings.limits,
    };
  }

  /** False when one of them cannot be read. */
  notes(notes: Notes): boolean {
    return passOn(notes, this.run);
  }

  async hostCall({ call, requestJson }: HostCall): Promise<void> {
    const reply = (ok: boolean, valueJson: string) => {
      if (!this.over.signal.aborted) this.process?.send({ t: 'reply', id: this.id, call, ok, valueJson });
    };
    try {
      const { signal } = this.over;
      const { maxBodyBytes } = this.settings;
      reply(true, await serveFetch(this.run.fetch, requestJson, { signal, maxBodyBytes }));
    } catch (error) {
      reply(false, JSON.stringify(error instanceof Error ? error.message : 'ctx.fetch failed'));
    }
  }

  end(end: RunEnd): void {
    this.settle(() => {
      const tooDeep = tooDeepIn(end);
      if (tooDeep !== undefined) {
        const message = `${tooDeep} is nested more than ${maxJsonDepth} levels deep`;
        return this.kind.failed(thrownText(this.kind.subject, { how: 'threw', message }));
      }
      if ('stateJson' in end && end.stateJson !== undefined) this.run.context.state = JSON.parse(end.stateJson);
      if (end.how === 'protocol-error' && Number.isSafeInteger(end.code)) {
        const data = end.dataJson === undefined ? undefined : JSON.parse(end.dataJson);
        throw this.settings.protocolError(end.code, end.message, data);
      }
      return this.outcomeOf(end);
    });
  }

  fail(error: Error): void {
    this.over.abort();
    this.reject(error);
  }

  refuse(why: string): void {
    this.settle(() => this.kind.failed(`${this.kind.subject} could not start: ${why}.`));
  }

  private settle(outcome: () => T | InputNeeded): void {
    this.over.abort();
    try {
      this.resolve(outcome());
    } catch (error) {
      this.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private outcomeOf(end: RunEnd): T | InputNeeded {
    const { kind } = this;
    const { subject } = kind;
    switch (end.how) {
      case 'returned':
        return kind.outcomeOf(end.resultJson);
      case 'threw':
        return kind.failed(thrownText(subject, end));
      case 'protocol-error':
        return kind.failed(thrownText(subject, { how: 'threw', message: end.message }));
      case 'input-needed':
        return this.inputNeeded(end);
      case 'limit':
        return kind.failed(limitText(subject, end.limit, this.settings.limits));
      case 'cancelled':
        return kind.failed(`${subject} was cancelled.`);
      default:
        throw new Error(`The sandbox of ${this.label} failed: ${end.how === 'crashed' ? end.detail : end.how}`);
    }
  }

  private inputNeeded(end: Extract<RunEnd, { how: 'input-needed' }>): T | InputNeeded {
    const { limits } = this.settings;
    try {
      const needed = inputNeededOf(end, this.run.context.inputs.kept);
      // The sandbox counted what it gave; what earlier rounds kept goes on its way again with it.
      if (bytesOf(needed) <= limits.outputBytes)
        return end.detaches ? new WantsToDetach({}, undefined, needed.kept) : needed;
      return this.kind.failed(limitText(this.kind.subject, 'output', limits));
    } catch (error) {
      if (!(error instanceof UnusableQuestions)) throw error;
      return this.kind.failed(thrownText(this.kind.subject, { how: 'threw', message: error.message }));
    }
  }
}

/** What of an end nobody here could encode again; results and questions are judged where they are made of it. */
function tooDeepIn(end: RunEnd): string | undefined {
  if ('stateJson' in end && deeperThan(maxJsonDepth, end.stateJson ?? '')) return 'ctx.state';
  return 'dataJson' in end && deeperThan(maxJsonDepth, end.dataJson ?? '') ? 'the data of ctx.error' : undefined;
}

function bytesOf({ requests, requestState, kept }: InputNeeded): number {
  return Buffer.byteLength(JSON.stringify([requests, requestState, kept]));
}

/** What the code is told of its surroundings, written out so that nothing else ever is. */
function contextOf({ client, principal, state, inputs, detachable }: RunContext): Record<string, unknown> {
  return {
    client: {
      name: client.name,
      version: client.version,
      revision: client.revision,
      capabilities: client.capabilities,
    },
    principal: { kind: principal.kind, id: principal.id, scopes: principal.scopes },
    ...(state === undefined ? {} : { state }),
    ...(detachable ? { detachable } : {}),
    ...(isFirstRound(inputs) ? {} : { inputs }),
  };
}

function isFirstRound({ answers, responses, requestState, kept }: RoundInputs): boolean {
  if (responses !== undefined || requestState !== undefined) return false;
  return Object.keys(answers).length === 0 && Object.keys(kept).length === 0;
}
