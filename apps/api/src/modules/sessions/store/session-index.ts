import type { SessionCap } from '@gantry/mcp-core';
import type { RedisCommands } from '../../../infra/redis/redis-clients.js';
import { type ScopeKeys, scopeKeys, subscriberName, subscriberOf, subscribersKey, tagOfPlace } from './index-keys.js';
import { REFRESH, REMOVE, RESERVE } from './index-scripts.js';

/** An index outlives what is in it by this. */
const MARGIN_MS = 3_600_000;
/** How many lapsed places are looked at for one that is needed, and how many by the way. */
const SWEEP = 200;
const SWEEP_ASIDE = 10;
/** Keys of one script. */
const KEYS_AT_ONCE = 200;

/** What the lists are told of a session. */
export interface IndexEntry {
  readonly server: string;
  readonly scopes: readonly string[];
  readonly place: string;
  readonly ends: number;
  /** URIs and the numbers of their subscriptions. */
  readonly subscriptions: readonly (readonly [uri: string, number: string])[];
}

/**
 * The lists of sessions: by scope, and by the URIs they are subscribed to. They lie with their tenant, the sessions each
 * by itself, so a list says who may be in it, and the session whether it is. A list says no later end than the session
 * has, except while it is being told of an earlier one: what has ended is among those that may have lapsed.
 */
export class SessionIndex {
  constructor(private readonly redis: RedisCommands) {}

  /**
   * Takes a place in all scopes, or in none because one is full.
   * @returns places that may have lapsed: many of the full scope, or a few of each
   */
  async reserve(
    caps: readonly SessionCap[],
    place: string,
    ends: number,
    now: number,
  ): Promise<{ full: SessionCap | undefined; lapsed: string[] }> {
    const keys = pairs(caps.map(({ scope }) => scope));
    const args = [place, ends, now, keptFor(ends, now), SWEEP, SWEEP_ASIDE, ...caps.map(({ max }) => max)];
    const [full, ...lapsed] = (await RESERVE.run(this.redis, keys, args)) as [number, ...string[]];
    return { full: caps[full - 1], lapsed: [...new Set(lapsed)] };
  }

  /** Places of a scope, in order. */
  page(scope: string, limit: number, after: string | undefined): Promise<string[]> {
    return this.redis.zrangebylex(
      scopeKeys(scope).order,
      after === undefined ? '-' : `(${after}`,
      '+',
      'LIMIT',
      0,
      limit,
    );
  }

  /** Says anew when a session ends. */
  async refresh({ server, scopes, place, ends, subscriptions }: IndexEntry, now: number): Promise<void> {
    // What is subscribed may be named for longer than it is true, never for shorter.
    const forgotten = ends + (ends - now);
    const all = [...subscriptions];
    let asked = scopes;
    do {
      const some = all.splice(0, KEYS_AT_ONCE);
      const keys = [...pairs(asked), ...some.map(([uri]) => subscribersKey(server, uri))];
      const names = some.map(([, number]) => subscriberName(tagOfPlace(place), number));
      await REFRESH.run(this.redis, keys, [
        ...[asked.length, place, ends, forgotten, now, keptFor(forgotten, now)],
        ...names,
      ]);
      asked = [];
    } while (all.length > 0);
  }

  /** Takes places out of scopes: all of them, or those that may have lapsed by `now`. */
  async remove(scopes: readonly string[], places: readonly string[], now?: number): Promise<void> {
    if (scopes.length === 0 || places.length === 0) return;
    await REMOVE.run(this.redis, pairs(scopes), [now === undefined ? '' : String(now), ...places]);
  }

  /** Who may be subscribed to a URI: session tags, and the numbers of the subscriptions. */
  async subscribers(server: string, uri: string): Promise<{ tag: string; subscription: string }[]> {
    return (await this.redis.zrange(subscribersKey(server, uri), '0', '-1')).map(subscriberOf);
  }

  /** Forgets subscriptions, which are over: their numbers do not come again. */
  async unsubscribed(
    server: string,
    uri: string,
    gone: readonly { tag: string; subscription: string }[],
  ): Promise<void> {
    if (gone.length === 0) return;
    const names = gone.map(({ tag, subscription }) => subscriberName(tag, subscription));
    await this.redis.zrem(subscribersKey(server, uri), ...names);
  }
}

function pairs(scopes: readonly string[]): string[] {
  return scopes.map(scopeKeys).flatMap(({ order, ends }: ScopeKeys) => [order, ends]);
}

function keptFor(ends: number, now: number): number {
  return Math.max(0, ends - now) + MARGIN_MS;
}
