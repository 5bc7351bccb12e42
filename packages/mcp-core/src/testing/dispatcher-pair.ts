import { type DispatcherOptions, JsonRpcDispatcher } from '../jsonrpc/index.js';
import { InMemoryTransport } from '../transports/in-memory/index.js';
import { FakeClock } from './fake-clock.js';

type Overrides<E> = Partial<Omit<DispatcherOptions<E>, 'transport' | 'side'>>;

export interface DispatcherPair<S, C> {
  server: JsonRpcDispatcher<S>;
  client: JsonRpcDispatcher<C>;
  clock: FakeClock;
}

/** A server and a client dispatcher joined in memory, on one fake clock. */
export function dispatcherPair<S = undefined, C = undefined>(
  server: Overrides<S> = {},
  client: Overrides<C> = {},
): DispatcherPair<S, C> {
  const clock = new FakeClock();
  const [left, right] = InMemoryTransport.pair();
  return {
    server: new JsonRpcDispatcher<S>({ dispatcherId: 'server', clock, ...server, side: 'server', transport: left }),
    client: new JsonRpcDispatcher<C>({ dispatcherId: 'client', clock, ...client, side: 'client', transport: right }),
    clock,
  };
}

/** Resolves when every promise that could settle without time passing has settled. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
