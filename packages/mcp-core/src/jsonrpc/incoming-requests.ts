import type { Outcome } from '../ports/meter.js';
import { PreEncoded } from './encode.js';
import { DispatcherUsageError, MCP_CODES, MCPError, MCPTransportError } from './errors.js';
import { type Handler, RunningRequest, type RunOwner } from './handler-context.js';
import { type InFlightTable, InMemoryInFlightTable } from './in-flight-table.js';
import { type Link, OTHER_METHOD } from './link.js';
import {
  errorMessage,
  isRequestId,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type Params,
  requestKey,
  resultMessage,
} from './messages.js';
import type { RequestOptions } from './outgoing-call.js';
import { checkParams, type ParamSchemas, schemaFor } from './param-schemas.js';

/** The other way, for handlers that notify and ask while they run. */
export interface Outlet {
  notify(method: string, params: Params | undefined, options: { relatedRequestId: string | number }): Promise<void>;
  request(method: string, params: Params | undefined, options: RequestOptions): Promise<unknown>;
}

/** The half of a dispatcher that answers: method table, running handlers, their cancels and their replies. */
export class IncomingRequests<E> implements RunOwner {
  #own: Map<string, Handler<E>> | undefined;
  #inFlight: InFlightTable | undefined;
  /** Handlers that returned a promise; one that answers at once is gone before anybody could ask. */
  #waiting: Set<RunningRequest<unknown>> | undefined;

  constructor(
    private readonly link: Link,
    private readonly outlet: Outlet,
    private readonly shared: ReadonlyMap<string, Handler<E>> | undefined,
    private readonly schemas: ParamSchemas | undefined,
    private readonly extra: E,
    inFlight: InFlightTable | undefined,
  ) {
    this.#inFlight = inFlight;
  }

  get running(): number {
    return this.#waiting?.size ?? 0;
  }

  register(method: string, handler: Handler<E>): void {
    this.#own ??= new Map();
    if (this.#own.has(method)) {
      throw new DispatcherUsageError('DUPLICATE_HANDLER', `${method} has a handler already`);
    }
    this.#own.set(method, handler);
  }

  unregister(method: string): boolean {
    return this.#own?.delete(method) ?? false;
  }

  handle({ id, method, params = {} }: JsonRpcRequest): void {
    const startedAt = this.link.startedAt();
    const handler = this.#own?.get(method) ?? this.shared?.get(method);
    const run = new RunningRequest(this, id, requestKey(id), method, this.extra, startedAt);
    if (handler === undefined) {
      run.end();
      this.#send(
        run,
        errorMessage(id, MCP_CODES.METHOD_NOT_FOUND, `Method not found: ${method}`),
        'error',
        OTHER_METHOD,
      );
      return;
    }
    this.#inFlight ??= new InMemoryInFlightTable(this.link.clock);
    if (!this.#inFlight.add(run.key, run)) {
      run.end();
      this.link.recordRequest(method, 'in', 'cancelled', startedAt);
      return;
    }
    let outcome: unknown;
    let waits: boolean;
    try {
      outcome = this.#call(handler, params, run);
      waits = isThenable(outcome);
    } catch (error) {
      this.#fail(run, error);
      return;
    }
    if (!waits) return this.#succeed(run, outcome);
    this.#waiting ??= new Set();
    this.#waiting.add(run);
    // A promise of the handler's own making might answer twice or never as promised; wrapping makes it one of ours.
    Promise.resolve(outcome).then(
      (result) => this.#succeed(run, result),
      (error) => this.#fail(run, error),
    );
    if (this.link.closed !== undefined) run.close(this.link.closed);
  }

  /** `notifications/cancelled`: whatever it names or does not name, nothing is answered. */
  cancel(params: Params | undefined): void {
    const id = params?.requestId;
    if (!isRequestId(id)) return;
    this.#inFlight ??= new InMemoryInFlightTable(this.link.clock);
    this.#inFlight.cancel(requestKey(id), typeof params?.reason === 'string' ? params.reason : undefined);
  }

  closeAll(reason: MCPTransportError): void {
    for (const run of [...(this.#waiting ?? [])]) run.close(reason);
  }

  notifyFrom(run: RunningRequest<unknown>, method: string, params: Params | undefined): Promise<void> {
    return this.outlet.notify(method, params, { relatedRequestId: run.id });
  }

  postFrom(run: RunningRequest<unknown>, method: string, params: Params): void {
    this.outlet.notify(method, params, { relatedRequestId: run.id }).catch((error) => this.link.onError(error));
  }

  requestFrom(
    run: RunningRequest<unknown>,
    method: string,
    params: Params | undefined,
    options: RequestOptions,
  ): Promise<unknown> {
    return this.outlet.request(method, params, { ...options, relatedRequestId: run.id });
  }

  runEnded(run: RunningRequest<unknown>, outcome: Outcome): void {
    this.#letGo(run);
    this.link.recordRequest(run.method, 'in', outcome, run.startedAt);
  }

  #call(handler: Handler<E>, params: Params, run: RunningRequest<E>): unknown {
    const schema = schemaFor(this.schemas, run.method);
    if (schema === undefined) return handler(params, run);
    const checked = checkParams(schema, params);
    return checked instanceof Promise ? checked.then((accepted) => handler(accepted, run)) : handler(checked, run);
  }

  #succeed(run: RunningRequest<E>, result: unknown): void {
    if (!run.end()) return;
    this.#letGo(run);
    let value = result;
    if (result instanceof PreEncoded && !this.link.transport.acceptsPreEncoded) {
      try {
        value = result.toJSON();
      } catch (error) {
        this.#sendFailed(run, error, run.method);
        return;
      }
    }
    this.#send(run, resultMessage(run.id, value), 'ok');
  }

  #fail(run: RunningRequest<E>, error: unknown): void {
    if (!run.end()) {
      if (!(error instanceof MCPError || error instanceof MCPTransportError) && !isAbortError(error)) {
        this.link.onHandlerError(error, run.method);
      }
      return;
    }
    this.#letGo(run);
    if (error instanceof MCPError && Number.isInteger(error.code)) {
      this.#send(run, errorMessage(run.id, error.code, error.message, error.data), 'error');
      return;
    }
    this.link.onHandlerError(error, run.method);
    this.#send(run, errorMessage(run.id, MCP_CODES.INTERNAL_ERROR, 'Internal error'), 'error');
  }

  #letGo(run: RunningRequest<unknown>): void {
    this.#waiting?.delete(run);
    this.#inFlight?.remove(run.key, run);
  }

  #send(run: RunningRequest<E>, answer: JsonRpcResponse, outcome: Outcome, label = run.method): void {
    const { link } = this;
    if (link.closed !== undefined) {
      link.recordRequest(label, 'in', 'closed', run.startedAt);
      return;
    }
    // As Link.send does it, without its closures: this is the path every call takes.
    let pending: Promise<void> | void;
    try {
      pending = link.transport.send(answer);
    } catch (error) {
      this.#sendFailed(run, error, label);
      return;
    }
    if (pending === undefined) link.recordRequest(label, 'in', outcome, run.startedAt);
    else {
      pending.then(
        () => link.recordRequest(label, 'in', outcome, run.startedAt),
        (error) => this.#sendFailed(run, error, label),
      );
    }
  }

  /** The asker still waits: if the connection stands, what failed is the encoding, and an error can say so. */
  #sendFailed(run: RunningRequest<E>, error: unknown, label: string): void {
    const { link } = this;
    link.onError(error);
    const gone = error instanceof MCPTransportError && error.reason === 'TRANSPORT_CLOSED';
    link.recordRequest(label, 'in', gone ? 'closed' : 'error', run.startedAt);
    if (gone) return;
    link.post(errorMessage(run.id, MCP_CODES.INTERNAL_ERROR, 'Internal error: the answer could not be encoded'));
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
