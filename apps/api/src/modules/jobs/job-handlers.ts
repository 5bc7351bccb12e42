import type { JobHandler } from './job-handler.js';

/** Where whoever knows how to run jobs says so; there is one kind of them. */
export class JobHandlers {
  private given: JobHandler | undefined;

  get handler(): JobHandler | undefined {
    return this.given;
  }

  use(handler: JobHandler): void {
    if (this.given !== undefined) throw new Error('jobs have a handler already');
    this.given = handler;
  }

  /** @throws Error when nobody has said how to run jobs: a worker must not start without */
  get required(): JobHandler {
    if (this.given === undefined) throw new Error('nobody runs jobs');
    return this.given;
  }
}
