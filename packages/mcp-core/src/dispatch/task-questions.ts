import { requestMessage } from '../jsonrpc/messages.js';
import { RELATED_TASK_KEY } from '../protocol/meta-keys.js';
import type { InputRequest } from '../protocol/types.js';
import type { Run } from './method.js';
import { questionId } from './question-id.js';

type Questions = Readonly<Record<string, InputRequest>>;

/**
 * What a task asks, said as requests on the stream of whoever waits for its result (2025-11-25, tasks). The ids are the
 * task's own: asked again on another stream, a question is the same request, and any node knows its answer by the id.
 */
export class TaskQuestions {
  readonly #seen = new Set<string>();
  readonly #asked = new Set<string>();
  #open: Questions = {};
  #askable: Promise<boolean> | undefined;

  constructor(
    private readonly run: Run,
    private readonly taskId: string,
  ) {}

  /** Asks those that were not asked here before. */
  show(open: Questions): void {
    this.#open = open;
    const fresh = Object.keys(open).filter((key) => !this.#seen.has(key));
    if (fresh.length === 0) return;
    for (const key of fresh) this.#seen.add(key);
    this.#askable ??= this.#whenAskable();
    void this.#askable.then((askable) => {
      if (askable) for (const key of fresh) this.#ask(key);
    });
  }

  /** Tells the client that nobody waits for those answers any more which have not come. */
  takeBack(reason: string): void {
    for (const key of this.#asked) {
      if (!Object.hasOwn(this.#open, key)) continue;
      void this.run.notify('notifications/cancelled', { requestId: questionId(this.taskId, key), reason });
    }
  }

  async #whenAskable(): Promise<boolean> {
    const { signal, extra } = this.run;
    try {
      return (await extra.askable(signal)) === undefined;
    } catch {
      // The request is over.
      return false;
    }
  }

  #ask(key: string): void {
    const question = this.#open[key];
    // Answered elsewhere meanwhile.
    if (question === undefined || this.run.signal.aborted) return;
    this.#asked.add(key);
    const { method, params } = question;
    const _meta = { ...(params?._meta as object | undefined), [RELATED_TASK_KEY]: { taskId: this.taskId } };
    this.run.extra.desk?.ask(requestMessage(questionId(this.taskId, key), method, { ...params, _meta }));
  }
}
