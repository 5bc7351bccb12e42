import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { Timer } from '../ports/clock.js';
import type { ClientInfo, Principal, ToolCall, ToolContext, ToolOutcome } from '../ports/tool-runner.js';
import { passesLevel } from '../protocol/log-levels.js';
import type { LogLevel, ProgressToken } from '../protocol/types.js';
import type { Run } from './method.js';
import { ProgressReporter } from './progress.js';
import type { StateHolder } from './request-context.js';

/**
 * One run of a tool, and the context the tool is given. Timer, abort controller and progress are made when the tool
 * turns out to need them: one that answers at once costs this object and nothing else.
 */
export class ToolRun implements ToolContext, StateHolder {
  state: Record<string, unknown> | undefined;
  #controller: AbortController | undefined;
  #progress: ProgressReporter | undefined;
  #linked = false;
  #over = false;

  constructor(
    private readonly run: Run,
    private readonly call: ToolCall,
    private readonly token: ProgressToken | undefined,
  ) {}

  get client(): ClientInfo {
    return this.run.extra.client;
  }

  get principal(): Principal {
    return this.run.extra.host.principal;
  }

  get signal(): AbortSignal {
    const controller = this.#controller ?? new AbortController();
    this.#controller = controller;
    this.#link();
    return controller.signal;
  }

  progress(done: number, total?: number, message?: string): void {
    if (this.token === undefined) return;
    this.#progress ??= new ProgressReporter(this.run, this.token, this.run.extra.logger, this.#name);
    if (this.#over) this.run.extra.logger.warn({ tool: this.#name }, 'progress dropped: the call has ended');
    else this.#progress.report(done, total, message);
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    const { extra } = this.run;
    if (!passesLevel(level, extra.logThreshold)) return;
    if (this.#over) return extra.logger.warn({ tool: this.#name }, 'log message dropped: the call has ended');
    this.run
      .notify('notifications/message', logger === undefined ? { level, data } : { level, logger, data })
      .catch((error) => extra.logger.warn({ tool: this.#name, error: String(error) }, 'log message dropped'));
  }

  /** Runs the tool. A promise settles at the latest when the tool's time is up or the request is cancelled. */
  start(): ToolOutcome | Promise<ToolOutcome> {
    const outcome = this.run.extra.host.runner.run(this.call, this);
    if (outcome instanceof Promise) return this.#bounded(outcome);
    this.#over = true;
    return outcome;
  }

  get #name(): string {
    return this.call.tool.definition.name;
  }

  /** The caller is answered in time whether or not the tool listens to its signal. */
  #bounded(running: Promise<ToolOutcome>): Promise<ToolOutcome> {
    const { clock } = this.run.extra;
    const { timeoutMs } = this.call.tool;
    return new Promise((resolve, reject) => {
      let timer: Timer | undefined;
      const settle = (finish: () => void) => {
        if (this.#over) return;
        this.#over = true;
        timer?.cancel();
        this.run.signal.removeEventListener('abort', cancelled);
        finish();
      };
      const cancelled = () =>
        settle(() => {
          this.#abort(this.run.signal.reason);
          reject(new MCPError(MCP_CODES.REQUEST_CANCELLED, 'The request was cancelled'));
        });
      timer = clock.setTimer(timeoutMs, () =>
        settle(() => {
          this.#abort(new Error(`The time limit of ${timeoutMs} ms is over`));
          resolve(timedOut(this.#name, timeoutMs));
        }),
      );
      this.run.signal.addEventListener('abort', cancelled, { once: true });
      if (this.run.signal.aborted) cancelled();
      running.then(
        (outcome) => settle(() => resolve(outcome)),
        (error) => settle(() => reject(error)),
      );
    });
  }

  #abort(reason: unknown): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }

  #link(): void {
    if (this.#linked) return;
    this.#linked = true;
    const { signal } = this.run;
    if (signal.aborted) this.#abort(signal.reason);
    else signal.addEventListener('abort', () => this.#abort(signal.reason), { once: true });
  }
}

/** What the model reads when a tool did not come back in time. A class, so that state of such a run is not kept. */
export class TimedOutOutcome implements ToolOutcome {
  readonly isError = true;
  constructor(readonly content: ToolOutcome['content']) {}
}

function timedOut(tool: string, timeoutMs: number): TimedOutOutcome {
  return new TimedOutOutcome([
    { type: 'text', text: `Tool ${tool} was stopped: its time limit of ${timeoutMs} ms is over.` },
  ]);
}
