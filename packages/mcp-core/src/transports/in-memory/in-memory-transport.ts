import { encodeMessage, type JsonRpcMessage, MCPTransportError, type Transport } from '../../jsonrpc/index.js';

/** Messages an end holds for a reader that has not come yet. */
const HELD_MAX = 1000;

/** Stands in the queue where an end has closed. */
const CLOSE = Symbol('close');

/**
 * Two linked ends in one process. Messages cross as JSON text, so no object is shared, one turn of the microtask queue
 * later and in order. Messages sent before the other end listens are held for it; messages on their way when an end
 * closes still reach the other, before its `onclose`.
 */
export class InMemoryTransport implements Transport {
  readonly acceptsPreEncoded = true;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  #peer: InMemoryTransport | undefined;
  #onmessage: ((message: unknown) => void) | undefined;
  #inbox: Array<string | typeof CLOSE> = [];
  #draining = false;

  private constructor() {}

  static pair(): [InMemoryTransport, InMemoryTransport] {
    const left = new InMemoryTransport();
    const right = new InMemoryTransport();
    left.#peer = right;
    right.#peer = left;
    return [left, right];
  }

  get onmessage(): ((message: unknown) => void) | undefined {
    return this.#onmessage;
  }

  set onmessage(listener: ((message: unknown) => void) | undefined) {
    this.#onmessage = listener;
    this.#schedule();
  }

  async start(): Promise<void> {}

  /** @throws MCPTransportError TRANSPORT_CLOSED, or BUFFER_FULL when the other end does not listen; TypeError when JSON cannot carry it */
  async send(message: JsonRpcMessage): Promise<void> {
    if (this.#peer === undefined) throw new MCPTransportError('TRANSPORT_CLOSED', 'The in-memory connection is closed');
    this.#peer.#take(encodeMessage(message));
  }

  async close(): Promise<void> {
    const peer = this.#peer;
    if (peer === undefined) return;
    this.#peer = undefined;
    this.#inbox = [];
    peer.#inbox.push(CLOSE);
    peer.#schedule();
    this.onclose?.();
  }

  #take(text: string): void {
    if (this.#onmessage === undefined && this.#inbox.length >= HELD_MAX) {
      throw new MCPTransportError('BUFFER_FULL', `The other end has not read ${HELD_MAX} messages`);
    }
    this.#inbox.push(text);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#draining || this.#inbox.length === 0) return;
    if (this.#onmessage === undefined && this.#inbox[0] !== CLOSE) return;
    this.#draining = true;
    queueMicrotask(() => this.#deliver());
  }

  /** One message a turn, so that what a listener sends in return takes its place in the queue of turns. */
  #deliver(): void {
    this.#draining = false;
    const next = this.#inbox.shift();
    if (next === CLOSE) {
      this.#peer = undefined;
      this.onclose?.();
      return;
    }
    if (next === undefined) return;
    try {
      this.#onmessage?.(JSON.parse(next));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.#schedule();
    }
  }
}
