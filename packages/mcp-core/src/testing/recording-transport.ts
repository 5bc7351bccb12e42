import type { JsonRpcMessage, Transport, TransportSendOptions } from '../jsonrpc/index.js';

/** A transport without another end: keeps what is sent, and receives what the test says. Sends without a promise. */
export class RecordingTransport implements Transport {
  readonly sent: JsonRpcMessage[] = [];
  readonly sendOptions: Array<TransportSendOptions | undefined> = [];
  readonly acceptsPreEncoded = true;
  closes = 0;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: ((message: unknown) => void) | undefined;
  /** Called with every message before it is kept; throws or rejects to make `send` fail. */
  beforeSend: ((message: JsonRpcMessage) => void | Promise<void>) | undefined;

  async start(): Promise<void> {}

  send(message: JsonRpcMessage, options?: TransportSendOptions): void | Promise<void> {
    const pending = this.beforeSend?.(message);
    const keep = () => {
      this.sent.push(message);
      this.sendOptions.push(options);
    };
    return pending === undefined ? keep() : pending.then(keep);
  }

  /** Hands a message to whoever listens, as it would come off the wire. */
  deliver(message: unknown): void {
    this.onmessage?.(message);
  }

  async close(): Promise<void> {
    this.closes++;
    this.onclose?.();
  }
}
