import type { Clock, Timer } from '../../ports/clock.js';
import type { FrameStream, HttpResponder } from '../http-exchange.js';
import { KEEP_ALIVE_FRAME, SSE_HEADERS } from './sse-frame.js';

/** How long a reader that was cut off may take for what is queued already, before the connection is closed under it. */
export const CUT_AFTER_MS = 30_000;

/** One open event stream: frames in order, comments while it is silent, and an end to readers that do not read. */
export class SseConnection {
  readonly #stream: FrameStream;
  #timer: Timer | undefined;
  #lastWrite: number;
  #closed = false;

  /**
   * Sends status and headers at once.
   * @param queuedMax a reader that many bytes behind is cut off; one frame larger than this is still sent
   * @param overrun called once when the reader is too slow and the connection has been closed for it
   */
  constructor(
    responder: HttpResponder,
    private readonly clock: Clock,
    private readonly keepAliveMs: number,
    private readonly queuedMax: number,
    private readonly overrun: () => void,
    headers?: Readonly<Record<string, string>>,
  ) {
    this.#stream = responder.stream(headers === undefined ? SSE_HEADERS : { ...SSE_HEADERS, ...headers });
    this.#lastWrite = clock.now();
    if (keepAliveMs > 0) this.#watch(keepAliveMs);
  }

  get closed(): boolean {
    return this.#closed;
  }

  write(frame: string): void {
    if (this.#closed) return;
    if (this.#stream.queuedBytes > this.queuedMax) {
      this.end();
      this.overrun();
      this.#timer = this.clock.setTimer(CUT_AFTER_MS, () => {
        if (this.#stream.queuedBytes > 0) this.#stream.cut?.();
      });
      return;
    }
    this.#stream.write(frame);
    this.#lastWrite = this.clock.now();
  }

  end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#timer?.cancel();
    this.#stream.end();
  }

  /** The client is gone; nothing more is written. */
  abandon(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #watch(ms: number): void {
    this.#timer = this.clock.setTimer(ms, () => {
      const silent = this.clock.now() - this.#lastWrite;
      if (silent < this.keepAliveMs) return this.#watch(this.keepAliveMs - silent);
      this.write(KEEP_ALIVE_FRAME);
      if (!this.#closed) this.#watch(this.keepAliveMs);
    });
  }
}
