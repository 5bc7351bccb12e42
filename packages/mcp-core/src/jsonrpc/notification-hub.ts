import { ProtocolFault } from './errors.js';
import { type Link, OTHER_METHOD } from './link.js';
import type { JsonRpcNotification, Params } from './messages.js';
import { checkParams, type ParamSchemas, schemaFor } from './param-schemas.js';

/** Hears notifications of one method. What it returns is ignored; what it throws goes to `listeners.onHandlerError`. */
export type NotificationListener<E = undefined> = (params: Params, ctx: { method: string; extra: E }) => unknown;

/** Methods the dispatcher itself acts on, so they are counted by name even if nobody else listens. */
const BUILT_IN = new Set(['notifications/cancelled', 'notifications/progress']);

/** Hands each notification to everybody who listens for its method. */
export class NotificationHub<E> {
  readonly #own = new Map<string, Array<{ readonly listener: NotificationListener<E> }>>();

  constructor(
    private readonly link: Link,
    private readonly shared: ReadonlyMap<string, NotificationListener<E>> | undefined,
    private readonly schemas: ParamSchemas | undefined,
    private readonly extra: E,
  ) {}

  /** Returns the function that ends it; it may be called twice. */
  subscribe(method: string, listener: NotificationListener<E>): () => void {
    const entry = { listener };
    this.#own.set(method, [...(this.#own.get(method) ?? []), entry]);
    return () => {
      const rest = (this.#own.get(method) ?? []).filter((other) => other !== entry);
      if (rest.length === 0) this.#own.delete(method);
      else this.#own.set(method, rest);
    };
  }

  async publish({ method, params = {} }: JsonRpcNotification): Promise<void> {
    const own = this.#own.get(method);
    const shared = this.shared?.get(method);
    const heard = own !== undefined || shared !== undefined;
    this.link.recordNotification(heard || BUILT_IN.has(method) ? method : OTHER_METHOD, 'in');
    if (!heard) return;
    const schema = schemaFor(this.schemas, method);
    let accepted = params;
    try {
      // Without a schema listeners are called before this function returns, so that order is kept.
      if (schema !== undefined) accepted = await checkParams(schema, params);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      this.link.onProtocolError(new ProtocolFault('INVALID_NOTIFICATION', `${method}: ${words}`, params));
      return;
    }
    if (shared !== undefined) this.#call(shared, method, accepted);
    for (const { listener } of own ?? []) this.#call(listener, method, accepted);
  }

  #call(listener: NotificationListener<E>, method: string, params: Params): void {
    try {
      const returned = listener(params, { method, extra: this.extra });
      if (returned instanceof Promise) returned.catch((error) => this.link.onHandlerError(error, method));
    } catch (error) {
      this.link.onHandlerError(error, method);
    }
  }
}
