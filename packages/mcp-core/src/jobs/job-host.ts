import type { RunFacts, RunHost } from '../dispatch/run-host.js';
import { type JsonRpcNotification, notificationMessage, type Params } from '../jsonrpc/messages.js';
import type { Timer } from '../ports/clock.js';
import type { LoggedEvent } from '../ports/event-log.js';
import { openIn } from '../ports/event-log.js';
import type { JobRun } from '../ports/jobs.js';
import type { MaybePromise } from '../ports/session-store.js';
import { RELATED_TASK_KEY } from '../protocol/meta-keys.js';
import type { ProgressToken } from '../protocol/types.js';
import { wellFormed } from '../protocol/well-formed.js';
import type { Revision } from '../wire/revision.js';
import type { JobServices } from './job-services.js';

/** Work that was told to stop is waited for so long, in milliseconds: what it does after that, nobody knows. */
const STOP_MS = 2_000;

/** Told of each progress that was said. */
export type ProgressListener = (done: number, total: number | undefined, message: string | undefined) => void;

/** Carries what a job says to the stream that its caller reads, in the words of its caller's revision. */
export class JobHost implements RunHost {
  readonly extra: RunFacts;
  #opened = false;
  #lastSaid: MaybePromise<unknown>;
  #working: Promise<void> | undefined;

  constructor(
    private readonly run: JobRun,
    private readonly revision: Revision,
    private readonly services: JobServices,
    readonly signal: AbortSignal,
    private readonly progressed: ProgressListener | undefined,
  ) {
    const { snapshot, caller, server } = run;
    const { clock, logger } = services;
    this.extra = {
      revision,
      client: caller.client,
      clock,
      logger,
      logThreshold: caller.logThreshold,
      host: { principal: caller.principal },
      server: { snapshot },
      announce: (change) => services.announce(server, change, snapshot.settings),
      // Whoever holds the connection is another process, and a stream that goes on by itself needs no polling.
      closeStream: () => {},
      runs: (work) => {
        const over = () => {
          this.#working = undefined;
        };
        this.#working = work.then(over, over);
      },
    };
  }

  async notify(method: string, params?: Params): Promise<void> {
    await this.#say(notificationMessage(method, this.#related(params)));
  }

  /** The token is the caller's; without one only the host hears of it. */
  sendProgress(_token: ProgressToken, progress: number, total?: number, message?: string): boolean {
    const { progressToken } = this.run.caller;
    // Its caller hears of it before it is noted down.
    if (progressToken !== undefined) this.#sayProgress({ progressToken, progress }, total, message);
    this.progressed?.(progress, total, message);
    return true;
  }

  #sayProgress(params: Params, total: number | undefined, message: string | undefined): void {
    if (total !== undefined) params.total = total;
    if (message !== undefined) params.message = message;
    this.#say(notificationMessage('notifications/progress', this.#related(params))).catch((error) =>
      this.services.logger.warn({ job: this.run.id, error: String(error) }, 'progress dropped'),
    );
  }

  /** The last progress that an earlier attempt has said: the log is the truth of what its reader may have seen. */
  async floor(): Promise<number> {
    const { reply, caller, attempt } = this.run;
    if (reply === undefined || attempt === 1 || caller.progressToken === undefined) return Number.NEGATIVE_INFINITY;
    const read = await this.services.eventLog.readAfter(reply.key, reply.stream, 0);
    const token = JSON.stringify(caller.progressToken);
    for (const event of [...(read?.events ?? [])].reverse()) {
      const progress = progressIn(event, token);
      if (progress !== undefined) return progress;
    }
    return Number.NEGATIVE_INFINITY;
  }

  /** Resolves when nothing of the run works any more, or it has not stopped in time. */
  async stopped(): Promise<void> {
    const { clock, logger } = this.services;
    if (this.#working === undefined) return;
    let timer: Timer | undefined;
    const late = new Promise<void>((resolve) => {
      timer = clock.setTimer(STOP_MS, () => {
        logger.warn({ job: this.run.id }, `the work of a job has not stopped within ${STOP_MS} ms`);
        resolve();
      });
    });
    await Promise.race([this.#working, late]);
    timer?.cancel();
  }

  /** Resolves when all that was said is in the log, or was given up: a stream takes it in order. */
  async said(): Promise<void> {
    await Promise.resolve(this.#lastSaid).catch(() => undefined);
  }

  async #say(message: JsonRpcNotification): Promise<void> {
    const { reply, snapshot } = this.run;
    if (reply === undefined) return;
    const { eventLog } = this.services;
    if (!this.#opened && !reply.answers) {
      this.#opened = true;
      void openIn(eventLog, reply.key, reply.stream, snapshot.settings);
    }
    this.#lastSaid = eventLog.append(reply.key, reply.stream, wellFormed(JSON.stringify(message)));
    await this.#lastSaid;
  }

  /** Of a task in a session every message says to which task it belongs (2025-11-25, tasks). */
  #related(params: Params | undefined): Params | undefined {
    if (this.run.face !== 'task' || this.revision.era !== 'session') return params;
    const meta = { ...(params?._meta as object | undefined), [RELATED_TASK_KEY]: { taskId: this.run.id } };
    return { ...params, _meta: meta };
  }
}

function progressIn({ data }: LoggedEvent, token: string): number | undefined {
  if (!data.includes('"notifications/progress"')) return undefined;
  const { method, params } = JSON.parse(data) as { method?: string; params?: Params };
  if (method !== 'notifications/progress' || JSON.stringify(params?.progressToken) !== token) return undefined;
  return params?.progress as number;
}
