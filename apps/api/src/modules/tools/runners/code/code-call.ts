import type { LogLevel, RunContext, ToolOutcome } from '@gantry/mcp-core';
import { type CodeFetch, serveFetch } from './code-fetch.js';
import { limitText, outcomeOf, thrownText, toolError } from './outcome.js';
import type {
  CheckRequest,
  CodeLimits,
  HostCall,
  NoteKind,
  Notes,
  RunEnd,
  RunRequest,
  SourceFault,
} from './sandbox/messages.js';
import type { SandboxProcess } from './sandbox-process.js';

/** What the parser may use to check a source. */
const checkMemoryBytes = 64 * 1024 * 1024;

/** One call of a code tool. */
export interface CodeRun {
  readonly tenantId: string;
  readonly toolName: string;
  /** An ES module whose default export is `async (args, ctx) => result`. */
  readonly source: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly context: RunContext;
  readonly limits?: Partial<CodeLimits>;
  readonly fetch?: CodeFetch;
  /** Lines of `console.*`, for the person who tries the tool. */
  readonly onConsole?: (level: LogLevel, line: string) => void;
  readonly onResourceUpdated?: (uri: string) => void;
  readonly onListChanged?: (kind: 'tools' | 'prompts' | 'resources') => void;
}

/** Makes the error that becomes the JSON-RPC error of the call. */
export type ProtocolErrorFactory = (code: number, message: string, data?: unknown) => Error;

/** The part of a call that the runner moves through its queue and its processes. */
export interface QueuedCall {
  readonly id: number;
  readonly tenantId: string;
  readonly toolName: string;
  /** The limit of the memory that it may use. */
  readonly memoryBytes: number;
  process?: SandboxProcess;
  /** The request for a process, made when there is a place. */
  request(): RunRequest | CheckRequest;
  /** How long a process may hold it before the process itself is judged to be stuck. */
  readonly holdMs: number;
  end(end: RunEnd): void;
  /** It ended for a reason of ours; becomes an internal error. */
  fail(error: Error): void;
  /** It could not start. */
  refuse(why: string): void;
}

/** A run in progress: what the sandbox says of it is turned into calls of its context, and its end into an outcome. */
export class CodeCall implements QueuedCall {
  readonly outcome: Promise<ToolOutcome>;
  readonly tenantId: string;
  readonly toolName: string;
  process?: SandboxProcess;
  private resolve!: (outcome: ToolOutcome) => void;
  private reject!: (error: Error) => void;
  private readonly over = new AbortController();

  constructor(
    readonly id: number,
    private readonly run: CodeRun,
    private readonly limits: CodeLimits,
    private readonly maxBodyBytes: number,
    private readonly protocolError: ProtocolErrorFactory,
  ) {
    this.tenantId = run.tenantId;
    this.toolName = run.toolName;
    this.outcome = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  get holdMs(): number {
    return this.limits.wallMs + 2_000;
  }

  get memoryBytes(): number {
    return this.limits.memoryBytes;
  }

  request(): RunRequest {
    const { context, source } = this.run;
    const { client, principal, state } = context;
    return {
      t: 'run',
      id: this.id,
      tenantId: this.tenantId,
      source,
      argumentsJson: JSON.stringify(this.run.arguments),
      contextJson: JSON.stringify({
        client: {
          name: client.name,
          version: client.version,
          revision: client.revision,
          capabilities: client.capabilities,
        },
        principal: { kind: principal.kind, id: principal.id, scopes: principal.scopes },
        ...(state === undefined ? {} : { state }),
      }),
      limits: this.limits,
    };
  }

  /** False when one of them cannot be read: tenant code can bend the library that wrote them. */
  notes({ notes }: Notes): boolean {
    try {
      return notes.every(([kind, json]) => this.note(kind, JSON.parse(json)));
    } catch {
      return false;
    }
  }

  private note(kind: NoteKind, value: unknown): boolean {
    const { context, onConsole, onResourceUpdated, onListChanged } = this.run;
    if (kind === 'resourceUpdated' || kind === 'listChanged') {
      if (typeof value !== 'string') return false;
      if (kind === 'resourceUpdated') onResourceUpdated?.(value);
      else if (isListKind(value)) onListChanged?.(value);
      return true;
    }
    if (!Array.isArray(value)) return false;
    const [first, second, third] = value as unknown[];
    if (kind === 'progress') {
      if (typeof first !== 'number') return false;
      context.progress(
        first,
        typeof second === 'number' ? second : undefined,
        typeof third === 'string' ? third : undefined,
      );
      return true;
    }
    if (!isLogLevel(first)) return false;
    if (kind === 'log') context.log(first, second, typeof third === 'string' ? third : undefined);
    else onConsole?.(first, String(second));
    return true;
  }

  async hostCall({ call, requestJson }: HostCall): Promise<void> {
    const reply = (ok: boolean, valueJson: string) => {
      if (!this.over.signal.aborted) this.process?.send({ t: 'reply', id: this.id, call, ok, valueJson });
    };
    try {
      const { signal } = this.over;
      reply(true, await serveFetch(this.run.fetch, requestJson, { signal, maxBodyBytes: this.maxBodyBytes }));
    } catch (error) {
      reply(false, JSON.stringify(error instanceof Error ? error.message : 'ctx.fetch failed'));
    }
  }

  end(end: RunEnd): void {
    try {
      this.over.abort();
      if ('stateJson' in end && end.stateJson !== undefined) this.run.context.state = JSON.parse(end.stateJson);
      if (end.how === 'protocol-error' && Number.isSafeInteger(end.code)) {
        const data = end.dataJson === undefined ? undefined : JSON.parse(end.dataJson);
        return this.reject(this.protocolError(end.code, end.message, data));
      }
      this.resolve(this.outcomeOf(end));
    } catch (error) {
      this.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  fail(error: Error): void {
    this.over.abort();
    this.reject(error);
  }

  refuse(why: string): void {
    this.over.abort();
    this.resolve(toolError(`Tool "${this.toolName}" could not start: ${why}.`));
  }

  private outcomeOf(end: RunEnd): ToolOutcome {
    switch (end.how) {
      case 'returned':
        return outcomeOf(this.toolName, end.resultJson);
      case 'threw':
        return toolError(thrownText(this.toolName, end));
      case 'protocol-error':
        return toolError(thrownText(this.toolName, { how: 'threw', message: end.message }));
      case 'limit':
        return toolError(limitText(this.toolName, end.limit, this.limits));
      case 'cancelled':
        return toolError(`Tool "${this.toolName}" was cancelled.`);
      default:
        throw new Error(
          `The sandbox of tool "${this.toolName}" failed: ${end.how === 'crashed' ? end.detail : end.how}`,
        );
    }
  }
}

/** A syntax check in progress. */
export class CheckCall implements QueuedCall {
  readonly fault: Promise<SourceFault | undefined>;
  readonly toolName = 'source check';
  readonly holdMs = 12_000;
  readonly memoryBytes = checkMemoryBytes;
  process?: SandboxProcess;
  private resolve!: (fault: SourceFault | undefined) => void;
  private reject!: (error: Error) => void;

  constructor(
    readonly id: number,
    readonly tenantId: string,
    private readonly source: string,
  ) {
    this.fault = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  request() {
    return { t: 'check', id: this.id, tenantId: this.tenantId, source: this.source } as const;
  }

  end(end: RunEnd): void {
    if (end.how === 'checked') this.resolve(end.fault);
    else if (end.how === 'limit') this.resolve({ message: 'the source takes too much time or memory to be parsed' });
    else
      this.reject(new Error(`The sandbox failed to check a source: ${end.how === 'crashed' ? end.detail : end.how}`));
  }

  fail(error: Error): void {
    this.reject(error);
  }

  refuse(why: string): void {
    this.reject(new Error(`The source could not be checked: ${why}`));
  }
}

const logLevels: readonly unknown[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const isLogLevel = (value: unknown): value is LogLevel => logLevels.includes(value);
const isListKind = (value: string): value is 'tools' | 'prompts' | 'resources' =>
  ['tools', 'prompts', 'resources'].includes(value);
