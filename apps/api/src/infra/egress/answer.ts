import { STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import type { Deadline } from './deadline.js';
import { EgressFailure } from './errors.js';
import { type BoundedBody, readBounded } from './read-body.js';

/** An answer whose body waits to be read. Exactly one of `read` and `discard` is called, or the socket stays taken until the deadline. */
export interface EgressResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The last hop's URL. */
  readonly url: string;
  /**
   * @param watch told decoded bytes as they come, which then are not kept; what it throws ends the reading
   * @throws EgressFailure
   */
  read(limit: number, watch?: (bytes: Buffer) => void): Promise<BoundedBody>;
  discard(): void;
}

export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

interface Answered {
  statusCode: number;
  statusText?: string;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

/** @param idleMs the longest pause within the body that its reader waits for */
export function answerOf(
  data: Answered,
  url: string,
  deadline: Deadline,
  idleMs: number | undefined,
): EgressResponse & { dump(): void } {
  const { body } = data;
  body.on('error', () => undefined);
  return {
    status: data.statusCode,
    statusText: data.statusText || (STATUS_CODES[data.statusCode] ?? ''),
    headers: data.headers,
    url,
    async read(limit, watch) {
      try {
        const encodings = data.headers['content-encoding'];
        const encoding = Array.isArray(encodings) ? encodings.join(',') : (encodings ?? '');
        return await readBounded(body, encoding, limit, watch);
      } catch (error) {
        throw deadline.explain(paused(error, idleMs));
      } finally {
        deadline.clear();
      }
    },
    discard() {
      deadline.clear();
      body.destroy();
    },
    /** Lets the next hop use the socket if the body is short; the deadline goes on. */
    dump() {
      (body as Readable & { dump(options: { limit: number }): Promise<void> })
        .dump({ limit: 16_384 })
        .catch(() => undefined);
    },
  };
}

function paused(error: unknown, idleMs: number | undefined): unknown {
  if (idleMs === undefined || (error as { code?: unknown } | undefined)?.code !== 'UND_ERR_BODY_TIMEOUT') return error;
  const words = `the backend sent nothing for ${idleMs} ms in the middle of its answer`;
  return new EgressFailure('timeout', words, true, { cause: error });
}
