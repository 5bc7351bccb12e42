import type { Call } from '@gantry/contracts';
import type { LoggedCall } from './call-log.js';
import type { CallsRepository } from './calls.repository.js';

/** @param call made when it is asked for: mostly nobody does */
export type CallsListener = (tenantId: string, call: () => Call) => void;

/** Finished calls as they are written, and those that were written last. */
export class RecentCalls {
  private readonly listeners = new Set<CallsListener>();

  constructor(
    private readonly repository: Pick<CallsRepository, 'list'>,
    private readonly node: string,
  ) {}

  /** Newest first. */
  latest(tenantId: string, limit: number): Promise<Call[]> {
    return this.repository.list(tenantId, {}, limit);
  }

  /** Told of each call of this node that can be read from now on. Returns the function that ends it. */
  onWritten(listener: CallsListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** A batch has been written. */
  written(calls: readonly LoggedCall[]): void {
    if (this.listeners.size === 0) return;
    for (const logged of calls) {
      const shown = (): Call => {
        const { tenantId: _of, finishedAt, ...call } = logged;
        return { ...call, at: new Date(finishedAt).toISOString(), node: this.node };
      };
      for (const listener of this.listeners) listener(logged.tenantId, shown);
    }
  }
}
