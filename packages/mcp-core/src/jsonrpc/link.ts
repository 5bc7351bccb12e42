import type { Clock } from '../ports/clock.js';
import { type Meter, noopMeter, type Outcome } from '../ports/meter.js';
import { MCPTransportError, type ProtocolFault } from './errors.js';
import type { JsonRpcMessage } from './messages.js';
import type { Transport, TransportSendOptions } from './transport.js';

/** Which end of a conversation a dispatcher is. */
export type Side = 'server' | 'client';

/** Label of methods nobody here has registered: the other side chooses them, and labels must stay few. */
export const OTHER_METHOD = '_OTHER';

/** Told what no caller can be told. A listener that throws is ignored. */
export interface DispatcherListeners {
  /** The other side sent something that fits nothing here. */
  onProtocolError?(fault: ProtocolFault): void;
  /** A handler, a notification listener or an `onProgress` threw something that is not an `MCPError`. */
  onHandlerError?(error: unknown, method: string): void;
  /** The transport failed, or a message nobody waits for could not be sent. */
  onError?(error: Error): void;
  /** Called once, when the dispatcher has closed for whatever reason. */
  onClose?(reason: MCPTransportError): void;
}

/** What the two halves of a dispatcher share: the way out, and whom to tell. */
export class Link {
  /** Why nothing can be sent any more. */
  closed: MCPTransportError | undefined;
  readonly #measuring: boolean;

  constructor(
    readonly transport: Transport,
    readonly side: Side,
    readonly clock: Clock,
    readonly meter: Meter,
    readonly listeners: DispatcherListeners,
  ) {
    this.#measuring = meter !== noopMeter;
  }

  /** When something began, for `recordRequest`; the clock is read only if somebody measures. */
  startedAt(): number {
    return this.#measuring ? this.clock.now() : 0;
  }

  recordRequest(method: string, direction: 'in' | 'out', outcome: Outcome, startedAt: number): void {
    if (!this.#measuring) return;
    this.meter.recordRequest(method, this.side, direction, outcome, this.clock.now() - startedAt);
  }

  recordNotification(method: string, direction: 'in' | 'out'): void {
    if (this.#measuring) this.meter.recordNotification(method, this.side, direction);
  }

  /**
   * Sends and tells the end: `failed` with the error, or `sent`. Both within this call if the transport needs no
   * promise; at most one of them, once.
   */
  send(
    message: JsonRpcMessage,
    options: TransportSendOptions | undefined,
    failed: (error: unknown) => void,
    sent?: () => void,
  ): void {
    let pending: Promise<void> | void;
    try {
      pending = this.transport.send(message, options);
    } catch (error) {
      failed(error);
      return;
    }
    if (pending === undefined) sent?.();
    else pending.then(sent, failed);
  }

  /** Sends what nobody waits for. */
  post(message: JsonRpcMessage, options?: TransportSendOptions): void {
    this.send(message, options, (error) => this.onError(error));
  }

  onError(error: unknown): void {
    this.#tell(() => this.listeners.onError?.(error instanceof Error ? error : new Error(String(error))));
  }

  onHandlerError(error: unknown, method: string): void {
    this.#tell(() => this.listeners.onHandlerError?.(error, method));
  }

  onProtocolError(fault: ProtocolFault): void {
    this.#tell(() => this.listeners.onProtocolError?.(fault));
  }

  onClose(reason: MCPTransportError): void {
    this.#tell(() => this.listeners.onClose?.(reason));
  }

  #tell(call: () => void): void {
    try {
      call();
    } catch {
      // The listener is where faults are told; there is nobody left to tell that it has one itself.
    }
  }
}

/** The error a caller gets when its message did not leave. */
export function sendFailure(method: string, error: unknown): MCPTransportError {
  if (error instanceof MCPTransportError) return error;
  const words = error instanceof Error ? error.message : String(error);
  return new MCPTransportError('SEND_FAILED', `${method} could not be sent: ${words}`, { cause: error });
}
