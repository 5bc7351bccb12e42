import type { LookupFunction, Socket } from 'node:net';
import { buildConnector, Pool } from 'undici';
import type { ResolvedAddress } from './resolver.js';
import type { Target } from './rules.js';

export interface PinnedPoolOptions {
  readonly connectTimeoutMs: number;
  /** Sockets of one tenant to one origin; more requests wait for one. */
  readonly connectionsPerOrigin: number;
  readonly maxPools: number;
  /** Extra trusted certificate authorities, PEM. */
  readonly ca?: readonly string[];
}

const bytesBeforeError = new WeakMap<object, number>();

/** Bytes a socket had received when it failed with `error`; 0 when nobody knows. */
export function receivedBefore(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 0;
  const socket = (error as { socket?: { bytesRead?: unknown } }).socket;
  return bytesBeforeError.get(error) ?? (typeof socket?.bytesRead === 'number' ? socket.bytesRead : 0);
}

/**
 * Connection pools whose sockets can only go to addresses that were judged before. A pool belongs to one tenant,
 * one origin and one set of addresses, so no tenant rides on a connection that only another one was allowed to
 * make, or waits behind it. Idle sockets close by themselves; the least recently used pool goes first.
 */
export class PinnedPools {
  private readonly pools = new Map<string, Pool>();

  constructor(private readonly options: PinnedPoolOptions) {}

  get(tenantId: string, target: Target, addresses: readonly ResolvedAddress[]): Pool {
    const sorted = [...addresses].sort((a, b) => (a.address < b.address ? -1 : 1));
    const key = JSON.stringify([tenantId, target.url.origin, sorted.map((a) => a.address)]);
    const known = this.pools.get(key);
    const pool = known ?? this.open(target, sorted);
    this.pools.delete(key);
    this.pools.set(key, pool);
    if (this.pools.size > this.options.maxPools) this.dropOldest();
    return pool;
  }

  /** Ends every socket at once. */
  async destroy(): Promise<void> {
    const all = [...this.pools.values()];
    this.pools.clear();
    await Promise.all(all.map((pool) => pool.destroy()));
  }

  private dropOldest(): void {
    const [key, pool] = this.pools.entries().next().value as [string, Pool];
    this.pools.delete(key);
    // Requests under way end by themselves; close() waits for them.
    pool.close().catch(() => undefined);
  }

  private open(target: Target, addresses: readonly ResolvedAddress[]): Pool {
    const connect = buildConnector({
      timeout: this.options.connectTimeoutMs,
      allowH2: false,
      lookup: pinnedLookup(addresses),
      autoSelectFamily: true,
      ...(this.options.ca && { ca: [...this.options.ca] }),
    });
    return new Pool(target.url.origin, {
      connections: this.options.connectionsPerOrigin,
      pipelining: 1,
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 30_000,
      maxHeaderSize: 64 * 1024,
      connect: (options, callback) =>
        connect(options, (...result) => {
          const socket = result[1] as Socket | null;
          socket?.once('error', (error) => bytesBeforeError.set(error, socket.bytesRead));
          callback(...result);
        }),
    });
  }
}

function pinnedLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all) {
      callback(null, [...addresses]);
      return;
    }
    const [first] = addresses;
    callback(null, first?.address ?? '', first?.family);
  };
}
