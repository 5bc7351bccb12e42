import type { JobRecord } from './store/job-record.js';

export type JobChange = Pick<JobRecord, 'id' | 'tenantId' | 'serverId' | 'server' | 'status' | 'face'> &
  Partial<Pick<JobRecord, 'idempotencyKey'>>;

/** What happened to jobs, told in the process that made it happen, after it was stored. */
export class JobEvents {
  private readonly listeners = new Set<(change: JobChange) => void>();

  constructor(private readonly onFault: (error: unknown) => void) {}

  on(listener: (change: JobChange) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  tell(change: JobChange): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(change);
      } catch (error) {
        this.onFault(error);
      }
    }
  }
}
