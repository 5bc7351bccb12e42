import type { RequestContext } from '../dispatch/request-context.js';
import { taskState } from '../dispatch/task-state.js';
import type { HandlerContext } from '../jsonrpc/handler-context.js';

/** Tells a listen stream how its tasks stand: each time the whole task, and never an older state after a newer one. */
export class TaskTelling {
  /** Tasks being read; `true` when one has changed again meanwhile. */
  readonly #reading = new Map<string, boolean>();

  constructor(
    private readonly context: RequestContext,
    private readonly run: HandlerContext<RequestContext>,
    private readonly meta: Readonly<Record<string, unknown>>,
  ) {}

  tell(id: string): void {
    if (this.#reading.has(id)) this.#reading.set(id, true);
    else void this.#read(id);
  }

  async #read(id: string): Promise<void> {
    const { host, revision, logger } = this.context;
    try {
      do {
        this.#reading.set(id, false);
        const job = await host.jobs?.get({ server: host.server, owner: host.owner }, id);
        if (job === undefined || this.run.signal.aborted) return;
        const { resultType: _, ...task } = revision.tasks?.shown(taskState(job)) ?? {};
        await this.run.notify('notifications/tasks', { ...task, _meta: this.meta });
      } while (this.#reading.get(id));
    } catch (error) {
      logger.warn({ task: id, error: String(error) }, 'a change of a task could not be told');
    } finally {
      this.#reading.delete(id);
    }
  }
}
