import { type Clock, systemClock } from '../ports/clock.js';
import type { IdGenerator } from '../ports/id-generator.js';
import { type Meter, noopMeter } from '../ports/meter.js';
import { classify, type Fault, type Incoming } from './codec.js';
import { MCP_CODES, MCPTransportError, ProtocolFault } from './errors.js';
import type { Handler } from './handler-context.js';
import type { InFlightTable } from './in-flight-table.js';
import { IncomingRequests } from './incoming-requests.js';
import { type DispatcherListeners, Link, type Side, sendFailure } from './link.js';
import {
  errorMessage,
  type JsonRpcMessage,
  type JsonRpcNotification,
  notificationMessage,
  type Params,
  type RequestId,
} from './messages.js';
import { NotificationHub, type NotificationListener } from './notification-hub.js';
import type { RequestOptions } from './outgoing-call.js';
import { OutgoingRequests } from './outgoing-requests.js';
import type { ParamSchemas } from './param-schemas.js';
import type { PendingRequests, ProgressToken } from './pending-requests.js';
import type { Transport } from './transport.js';

/** What a dispatcher stands on; only side, transport and a name must be given. */
export interface DispatcherOptions<E = undefined> {
  /** A label for measurements; nothing else depends on it. */
  side: Side;
  transport: Transport;
  /** Names this dispatcher; with a shared `pending` it must be unique among those who share. */
  dispatcherId: string;
  clock?: Clock;
  /** Where ids of outgoing requests come from; without it they are counted from 1. */
  idGenerator?: IdGenerator;
  listeners?: DispatcherListeners;
  /** Checked before a handler or listener sees the params; a request that fails is answered -32602. */
  paramSchemas?: ParamSchemas;
  meter?: Meter;
  /** A prebuilt method table, read and never copied. Handlers registered on the instance come first. */
  handlers?: ReadonlyMap<string, Handler<E>>;
  /** As `handlers`, for notifications; it is heard beside listeners of the instance. */
  notificationListeners?: ReadonlyMap<string, NotificationListener<E>>;
  /** Handed to every handler as `ctx.extra`. */
  extra?: E;
  /** Shared by the connections of one session, so that a cancel on one of them finds a request of another. */
  inFlight?: InFlightTable;
  /** Shared by the connections of one session, so that an answer on one of them settles a request of another. */
  pending?: PendingRequests;
}

const NOTHING: DispatcherListeners = Object.freeze({});

/**
 * One end of a JSON-RPC conversation: answers requests and makes them, over any transport, in both directions at once.
 * It knows no MCP method except `notifications/cancelled` and `notifications/progress`. Cheap to make: what a
 * conversation does not use is not built.
 */
export class JsonRpcDispatcher<E = undefined> {
  readonly dispatcherId: string;
  readonly #link: Link;
  readonly #options: DispatcherOptions<E>;
  readonly #incoming: IncomingRequests<E>;
  #outgoingHalf: OutgoingRequests | undefined;
  #hubHalf: NotificationHub<E> | undefined;
  #started: Promise<void> | undefined;

  constructor(options: DispatcherOptions<E>) {
    const { transport, clock = systemClock, meter = noopMeter, listeners = NOTHING } = options;
    this.dispatcherId = options.dispatcherId;
    this.#options = options;
    this.#link = new Link(transport, options.side, clock, meter, listeners);
    const { handlers, paramSchemas, extra, inFlight } = options;
    this.#incoming = new IncomingRequests(this.#link, this, handlers, paramSchemas, extra as E, inFlight);
    if (!transport.passive) this.#listen(transport);
  }

  /** Starts the transport; needed by those that have something to open. May be called twice. */
  start(): Promise<void> {
    this.#started ??= this.#link.transport.start();
    return this.#started;
  }

  /**
   * Sends a request and waits for its answer. Rejects with `MCPError` (the other side's error),
   * `RequestCancelledError`, `RequestTimeoutError` or `MCPTransportError`.
   */
  request(method: string, params?: Params, options: RequestOptions = {}): Promise<unknown> {
    return this.#outgoing.request(method, params, options);
  }

  /**
   * Sends a notification; resolves when the transport has taken it, rejects with `MCPTransportError`. A rejection
   * nobody looks at goes unnoticed by the process.
   */
  notify(method: string, params?: Params, options?: { relatedRequestId?: RequestId }): Promise<void> {
    if (this.#link.closed !== undefined) return handled(Promise.reject(this.#link.closed));
    this.#link.recordNotification(method, 'out');
    return handled(
      new Promise((resolve, reject) => {
        const failed = (error: unknown) => reject(sendFailure(method, error));
        this.#link.send(notificationMessage(method, params), options, failed, resolve);
      }),
    );
  }

  /** @throws DispatcherUsageError when this dispatcher has a handler of its own for the method */
  registerHandler(method: string, handler: Handler<E>): void {
    this.#incoming.register(method, handler);
  }

  /** Removes the instance's own handler; false if there was none. One of the shared table comes to light again. */
  unregisterHandler(method: string): boolean {
    return this.#incoming.unregister(method);
  }

  /** Adds a listener and returns the function that removes it. A listener that throws hurts no other. */
  onNotification(method: string, listener: NotificationListener<E>): () => void {
    return this.#hub.subscribe(method, listener);
  }

  /**
   * Ties a progress token to the newest pending request of that method, so that progress with it reaches the
   * request's `onProgress`. False when none is pending.
   */
  setProgressToken(method: string, token: ProgressToken): boolean {
    return this.#outgoingHalf?.setProgressToken(method, token) ?? false;
  }

  /** Feeds one message that `parseMessage` or `classify` has told apart. Never throws; ignored after the end. */
  receive(message: JsonRpcMessage): void {
    if (this.#link.closed !== undefined) return;
    if (!('method' in message)) this.#outgoing.answer(message);
    else if ('id' in message && message.id !== undefined) this.#incoming.handle(message);
    else this.#notified(message);
  }

  /** Ends the conversation: what is pending is rejected, what runs is aborted, the transport is closed. May be called twice. */
  async close(reason?: string): Promise<void> {
    if (!this.#end(reason ?? 'The connection was closed on this side')) return;
    try {
      await this.#link.transport.close();
    } catch (error) {
      this.#link.onError(error);
    }
  }

  /** Incoming requests whose handlers have neither answered nor been cancelled. */
  get running(): number {
    return this.#incoming.running;
  }

  get closed(): boolean {
    return this.#link.closed !== undefined;
  }

  get #outgoing(): OutgoingRequests {
    const { dispatcherId, idGenerator, pending } = this.#options;
    this.#outgoingHalf ??= new OutgoingRequests(this.#link, dispatcherId, idGenerator, pending);
    return this.#outgoingHalf;
  }

  get #hub(): NotificationHub<E> {
    const { notificationListeners, paramSchemas, extra } = this.#options;
    this.#hubHalf ??= new NotificationHub(this.#link, notificationListeners, paramSchemas, extra as E);
    return this.#hubHalf;
  }

  #listen(transport: Transport): void {
    transport.onmessage = (message: unknown) => this.#accept(classify(message));
    transport.onerror = (error) => this.#link.onError(error);
    transport.onclose = () => {
      this.#end('The connection was closed by the other side');
    };
  }

  #accept(incoming: Incoming): void {
    if (incoming.kind === 'fault') this.#refuse(incoming);
    else if (incoming.kind !== 'batch') this.receive(incoming.message);
    else {
      const message = 'Invalid request: batches are not accepted on this connection';
      this.#refuse({ kind: 'fault', code: MCP_CODES.INVALID_REQUEST, message, response: false });
    }
  }

  #refuse(fault: Fault): void {
    if (this.#link.closed !== undefined) return;
    this.#link.onProtocolError(new ProtocolFault('MALFORMED', fault.message, fault.id));
    if (!fault.response) this.#link.post(errorMessage(fault.id, fault.code, fault.message));
  }

  #notified(message: JsonRpcNotification): void {
    if (message.method === 'notifications/cancelled') this.#incoming.cancel(message.params);
    else if (message.method === 'notifications/progress') this.#outgoing.progress(message.params);
    void this.#hub.publish(message);
  }

  #end(words: string): boolean {
    if (this.#link.closed !== undefined) return false;
    const reason = new MCPTransportError('TRANSPORT_CLOSED', words);
    this.#link.closed = reason;
    this.#outgoingHalf?.closeAll(reason);
    this.#incoming.closeAll(reason);
    this.#link.onClose(reason);
    return true;
  }
}

/** A promise whose rejection is its caller's to look at or not. */
function handled(promise: Promise<void>): Promise<void> {
  promise.catch(() => {});
  return promise;
}
