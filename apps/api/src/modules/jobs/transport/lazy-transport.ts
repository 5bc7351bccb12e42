import type { JobTransport } from './job-transport.js';

/** Connects when it is used first: most processes that only serve never submit a job. */
export class LazyTransport implements JobTransport {
  private made: JobTransport | undefined;

  constructor(private readonly make: () => JobTransport) {}

  add(jobId: string): Promise<void> {
    return this.transport.add(jobId);
  }

  remove(jobId: string): Promise<boolean> {
    return this.transport.remove(jobId);
  }

  work(take: (jobId: string) => Promise<boolean>, slots: number): Promise<void> {
    return this.transport.work(take, slots);
  }

  async rest(): Promise<void> {
    await this.made?.rest();
  }

  async resume(): Promise<void> {
    await this.made?.resume();
  }

  async close(): Promise<void> {
    await this.made?.close();
  }

  private get transport(): JobTransport {
    this.made ??= this.make();
    return this.made;
  }
}
