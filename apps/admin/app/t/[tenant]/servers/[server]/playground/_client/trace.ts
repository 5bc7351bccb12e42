import { isObject } from '@/lib/json';

/** One JSON-RPC message as it went over the wire. */
export interface TraceEntry {
  id: number;
  /** Milliseconds since the epoch. */
  at: number;
  direction: 'out' | 'in';
  /** HTTP method of the exchange it belongs to. */
  http: string;
  /** HTTP status; absent while no answer has come. */
  status?: number;
  /** Why no answer came. */
  fault?: string;
  kind: 'request' | 'notification' | 'result' | 'error' | 'http';
  /** Method; of a result or error that of its request, where it was seen. */
  method: string;
  rpcId?: string | number;
  /** The message as indented JSON, cut where it is longer than `maxChars`. */
  text: string;
  chars: number;
}

export interface Trace {
  entries: readonly TraceEntry[];
  dropped: number;
}

export const maxEntries = 500;
/** A single message may hold megabytes; five hundred of them may not. */
export const maxChars = 20_000;

/** The newest messages of a connection, for React's `useSyncExternalStore`. */
export class TraceStore {
  #trace: Trace = { entries: [], dropped: 0 };
  #next = 1;
  readonly #methods = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  constructor(private readonly now: () => number = Date.now) {}

  readonly snapshot = (): Trace => this.#trace;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  clear(): void {
    this.#methods.clear();
    this.#set({ entries: [], dropped: 0 });
  }

  /** Notes what a request carries; gives what `settle` takes when its answer is there. */
  sent(http: string, messages: readonly unknown[]): number[] {
    if (messages.length === 0)
      return [this.#add({ direction: 'out', http, kind: 'http', method: http, text: '', chars: 0 })];
    return messages.map((message) => this.#add({ direction: 'out', http, ...this.#describe(message, 'out') }));
  }

  settle(ids: readonly number[], outcome: { status: number } | { fault: string }): void {
    this.#set({
      ...this.#trace,
      entries: this.#trace.entries.map((entry) => (ids.includes(entry.id) ? { ...entry, ...outcome } : entry)),
    });
  }

  received(http: string, status: number, message: unknown): void {
    this.#add({ direction: 'in', http, status, ...this.#describe(message, 'in') });
  }

  #add(entry: Omit<TraceEntry, 'id' | 'at'>): number {
    const id = this.#next++;
    const full = this.#trace.entries.length >= maxEntries;
    this.#set({
      entries: [...(full ? this.#trace.entries.slice(1) : this.#trace.entries), { id, at: this.now(), ...entry }],
      dropped: this.#trace.dropped + (full ? 1 : 0),
    });
    return id;
  }

  #set(trace: Trace): void {
    this.#trace = trace;
    for (const listener of this.#listeners) listener();
  }

  #describe(message: unknown, direction: 'out' | 'in') {
    const json = JSON.stringify(message, null, 2) ?? '';
    const size = { text: json.slice(0, maxChars), chars: json.length };
    if (!isObject(message)) return { kind: 'error' as const, method: '', ...size };
    const rpcId = typeof message.id === 'string' || typeof message.id === 'number' ? message.id : undefined;
    // Ids of the two sides are counted apart; a result belongs to a request that went the other way.
    const key = (side: string) => `${side} ${typeof rpcId} ${rpcId}`;
    if (typeof message.method === 'string') {
      if (rpcId === undefined) return { kind: 'notification' as const, method: message.method, ...size };
      this.#methods.set(key(direction), message.method);
      return { kind: 'request' as const, method: message.method, rpcId, ...size };
    }
    const asked = key(direction === 'out' ? 'in' : 'out');
    const method = this.#methods.get(asked) ?? '';
    this.#methods.delete(asked);
    return { kind: 'error' in message ? ('error' as const) : ('result' as const), method, rpcId, ...size };
  }
}
