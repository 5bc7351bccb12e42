import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { ListKind } from '../ports/change-bus.js';
import type { Timer } from '../ports/clock.js';
import type { MaybePromise } from '../ports/session-store.js';
import type { ClientInfo, Principal, RoundInputs, RunContext } from '../ports/tool-runner.js';
import { asciiUri } from '../protocol/ascii-uri.js';
import { passesLevel } from '../protocol/log-levels.js';
import type { LogLevel } from '../protocol/types.js';
import { offers } from './capabilities.js';
import type { ProgressReporter } from './progress.js';
import type { StateHolder } from './request-context.js';
import { capital } from './round.js';
import type { RunHost } from './run-host.js';

/** What is run: a tool, prompt or resource, as far as its run has to know it. */
export interface RunSubject<T> {
  /** For people: "tool greet". */
  readonly label: string;
  readonly timeoutMs: number;
  readonly inputs: RoundInputs;
  /** Shared by all rounds of a request, since progress must increase over all of them; none without a token. */
  readonly progress: ProgressReporter | undefined;
  /** Its caller would take a task for an answer. */
  readonly detachable?: boolean;
  begin(context: RunContext): MaybePromise<T>;
  /** What the caller gets when the time is up. May throw instead. */
  timedOut(words: string): T;
}

/**
 * One run of something a tenant offers, and the context it is given. Timer and abort controller are made when the run
 * turns out to need them: one that answers at once costs this object and nothing else.
 */
export class BoundedRun<T> implements RunContext, StateHolder {
  state: Record<string, unknown> | undefined;
  lost: AbortSignal | undefined;
  /** The run was cut off and may still be changing what it was given. */
  cutOff = false;
  #controller: AbortController | undefined;
  #linked = false;
  #over = false;

  constructor(
    private readonly run: RunHost,
    private readonly subject: RunSubject<T>,
  ) {}

  get inputs(): RoundInputs {
    return this.subject.inputs;
  }

  get detachable(): boolean {
    return this.subject.detachable ?? false;
  }

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
    const { progress } = this.subject;
    if (progress === undefined) return;
    if (this.#over) this.#dropped('progress');
    else progress.report(done, total, message);
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    const { extra } = this.run;
    if (!passesLevel(level, extra.logThreshold)) return;
    if (this.#over) return this.#dropped('log message');
    this.run
      .notify('notifications/message', logger === undefined ? { level, data } : { level, logger, data })
      .catch((error) => this.#dropped('log message', String(error)));
  }

  resourceUpdated(uri: string): void {
    if (this.#over) this.#dropped('resource update');
    else this.run.extra.announce({ kind: 'resource', uri: asciiUri(uri) });
  }

  listChanged(list: ListKind): void {
    if (this.#over) this.#dropped('list change');
    else if (list !== 'tools' && !offers(this.run.extra.server, list)) {
      this.#dropped('list change', `the server offers no ${list}`);
    } else this.run.extra.announce({ kind: 'list', list });
  }

  closeStream(retryMs?: number): void {
    if (!this.#over) this.run.extra.closeStream(retryMs);
  }

  /** Begins the run. A promise settles at the latest when its time is up or the request is cancelled. */
  start(): MaybePromise<T> {
    const outcome = this.subject.begin(this);
    if (outcome instanceof Promise) {
      this.run.extra.runs?.(outcome);
      return this.#bounded(outcome);
    }
    this.#over = true;
    return outcome;
  }

  #dropped(what: string, error?: string): void {
    const { logger } = this.run.extra;
    const subject = this.subject.label;
    if (error === undefined) logger.warn({ subject }, `${what} dropped: the call has ended`);
    else logger.warn({ subject, error }, `${what} dropped`);
  }

  /** The caller is answered in time whether or not the run listens to its signal. */
  #bounded(running: Promise<T>): Promise<T> {
    const { clock } = this.run.extra;
    const { timeoutMs, label } = this.subject;
    return new Promise((resolve, reject) => {
      let timer: Timer | undefined;
      const settle = (finish: () => void) => {
        if (this.#over) return;
        this.#over = true;
        timer?.cancel();
        this.run.signal.removeEventListener('abort', cancelled);
        this.lost?.removeEventListener('abort', turnLost);
        finish();
      };
      const cancelled = () =>
        settle(() => {
          this.#abort(this.run.signal.reason);
          reject(new MCPError(MCP_CODES.REQUEST_CANCELLED, 'The request was cancelled'));
        });
      const turnLost = () =>
        settle(() => {
          this.#abort(this.lost?.reason);
          reject(new MCPError(MCP_CODES.INTERNAL_ERROR, 'The turn of this run was lost to another call'));
        });
      timer = clock.setTimer(timeoutMs, () =>
        settle(() => {
          this.cutOff = true;
          this.#abort(new Error(`The time limit of ${timeoutMs} ms is over`));
          const words = `${capital(label)} was stopped: its time limit of ${timeoutMs} ms is over.`;
          try {
            resolve(this.subject.timedOut(words));
          } catch (error) {
            reject(error);
          }
        }),
      );
      this.run.signal.addEventListener('abort', cancelled, { once: true });
      this.lost?.addEventListener('abort', turnLost, { once: true });
      if (this.run.signal.aborted) cancelled();
      else if (this.lost?.aborted) turnLost();
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
