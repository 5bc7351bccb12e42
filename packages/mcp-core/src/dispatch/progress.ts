import type { Params } from '../jsonrpc/messages.js';
import type { Logger } from '../ports/logger.js';
import { isProgressToken, rawProgressToken } from '../protocol/progress-token.js';
import type { ProgressToken } from '../protocol/types.js';
import type { Run } from './method.js';
import { invalidParams } from './request-context.js';
import type { RunHost } from './run-host.js';

/**
 * Progress of one call: only with a token, only upwards, and none once the call has ended (2025-11-25 and 2026-07-28,
 * basic/utilities/progress). What is held back is logged.
 */
export class ProgressReporter {
  #last: number;

  /** @param floor progress that was said before and must be passed */
  constructor(
    private readonly run: RunHost,
    private readonly token: ProgressToken,
    private readonly logger: Logger,
    private readonly subject: string,
    floor = Number.NEGATIVE_INFINITY,
  ) {
    this.#last = floor;
  }

  report(done: number, total: number | undefined, message: string | undefined): void {
    if (!Number.isFinite(done) || done <= this.#last) {
      const fields = { subject: this.subject, progress: done, previous: this.#last };
      this.logger.warn(fields, 'progress dropped: it must increase');
      return;
    }
    this.#last = done;
    const finiteTotal = Number.isFinite(total) ? total : undefined;
    const words = this.run.extra.revision.progressMessages ? message : undefined;
    if (!this.run.sendProgress(this.token, done, finiteTotal, words)) {
      this.logger.warn({ subject: this.subject, progress: done }, 'progress dropped: the call has ended');
    }
  }
}

/**
 * Where the progress of a request goes; undefined without a token.
 * @throws MCPError -32602 for a token that is none
 */
export function progressOf(run: Run, params: Params, subject: string): ProgressReporter | undefined {
  const token = rawProgressToken(params);
  if (token === undefined) return undefined;
  if (!isProgressToken(token)) throw invalidParams('_meta.progressToken must be a string or an integer');
  return new ProgressReporter(run, token, run.extra.logger, subject);
}
