import type { Logger } from '../ports/logger.js';
import type { ProgressToken } from '../protocol/types.js';
import type { Run } from './method.js';

/**
 * Progress of one call: only with a token, only upwards, and none once the call has ended (2025-11-25 and 2026-07-28,
 * basic/utilities/progress). What is held back is logged.
 */
export class ProgressReporter {
  #last = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly run: Run,
    private readonly token: ProgressToken | undefined,
    private readonly logger: Logger,
    private readonly subject: string,
  ) {}

  report(done: number, total: number | undefined, message: string | undefined): void {
    if (this.token === undefined) return;
    if (!Number.isFinite(done) || done <= this.#last) {
      const fields = { subject: this.subject, progress: done, previous: this.#last };
      this.logger.warn(fields, 'progress dropped: it must increase');
      return;
    }
    this.#last = done;
    const finiteTotal = Number.isFinite(total) ? total : undefined;
    if (!this.run.sendProgress(this.token, done, finiteTotal, message)) {
      this.logger.warn({ subject: this.subject, progress: done }, 'progress dropped: the call has ended');
    }
  }
}
