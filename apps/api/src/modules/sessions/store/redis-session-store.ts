import type {
  ClientInfo,
  Clock,
  LogLevel,
  SessionCap,
  SessionKey,
  SessionPage,
  SessionRecord,
  SessionStore,
} from '@gantry/mcp-core';
import type { RedisCommands } from '../../../infra/redis/redis-clients.js';
import { type SessionKeys, sessionKeys, sessionTag, streamKeys } from '../session-keys.js';
import { placeOf, tagOfPlace } from './index-keys.js';
import { fieldsOf, listedAs, type StoredSession, sessionFrom } from './session-fields.js';
import { type IndexEntry, SessionIndex } from './session-index.js';
import {
  AGREE,
  CHANGE,
  CREATE,
  DELETE,
  FIELDS,
  READ_SUBSCRIBER,
  SUBSCRIBE,
  TOUCH,
  UNSUBSCRIBE,
} from './session-scripts.js';

/** Redis forgets what nobody has removed this long after its end by our clock. */
const MARGIN_MS = 60_000;
/** The lists of scopes may say an end that is earlier by this part of a lifetime. */
const INDEX_SLACK = 1 / 10;
/** How many sessions are asked for at once. */
const BATCH = 250;

export interface RedisSessionStoreOptions {
  readonly redis: RedisCommands;
  readonly clock: Clock;
  /** Told when a list could not be put in order; that is made good later. */
  readonly onFault: (error: unknown) => void;
}

type Subscriptions = IndexEntry['subscriptions'];

/**
 * Sessions in Redis, seen by every node: each is a hash in a slot of its own, listed in the slot of its tenant. Ends go
 * by the clock given; Redis itself removes what is left a minute later.
 */
export class RedisSessionStore implements SessionStore {
  private readonly redis: RedisCommands;
  private readonly clock: Clock;
  private readonly index: SessionIndex;

  constructor(private readonly options: RedisSessionStoreOptions) {
    this.redis = options.redis;
    this.clock = options.clock;
    this.index = new SessionIndex(options.redis);
  }

  async create(record: SessionRecord, caps: readonly [SessionCap, ...SessionCap[]]): Promise<'created' | SessionCap> {
    const now = this.clock.now();
    const scopes = caps.map(({ scope }) => scope);
    const tag = sessionTag(record);
    const place = placeOf(record.createdAt, tag);
    const full = await this.reserve(caps, place, record.expiresAt, now);
    if (full !== undefined) return full;
    const storedFor = Math.max(0, record.expiresAt - now) + MARGIN_MS;
    try {
      await CREATE.run(this.redis, [sessionKeys(tag).session], [storedFor, ...fieldsOf({ record, scopes })]);
    } catch (error) {
      this.aside(this.giveBack(record, scopes, place));
      throw error;
    }
    return 'created';
  }

  async get(key: SessionKey): Promise<SessionRecord | undefined> {
    return (await this.read(sessionTag(key)))?.record;
  }

  async touch(key: SessionKey, ttlMs: number): Promise<SessionRecord | undefined> {
    const now = this.clock.now();
    const tag = sessionTag(key);
    const { session, subscriptions, state, streams } = sessionKeys(tag);
    const { events, meta } = streamKeys(tag, '');
    const args = [now, now + ttlMs, ttlMs + MARGIN_MS, Math.floor(ttlMs * INDEX_SLACK), events, meta];
    const answer = await TOUCH.run(this.redis, [session, subscriptions, state, streams], args);
    const values = (answer ?? []) as string[];
    const found = sessionFrom(values);
    const listed = values[FIELDS.length];
    if (found === undefined || listed === undefined) return found?.record;
    const told = this.tellLists(found, tag, subscriptionsIn(values.slice(FIELDS.length + 1)));
    // Until they know of an earlier end, they would count it for too long.
    if (found.record.expiresAt < Number(listed)) await told;
    else this.aside(told);
    return found.record;
  }

  async agree(key: SessionKey, client: ClientInfo): Promise<'agreed' | 'already' | 'unknown'> {
    const { session } = keysOf(key);
    const outcome = await AGREE.run(this.redis, [session], [this.clock.now(), JSON.stringify(client)]);
    return outcome as 'agreed' | 'already' | 'unknown';
  }

  setLogLevel(key: SessionKey, level: LogLevel): Promise<boolean> {
    return this.change(key, 'level', level);
  }

  markInitialized(key: SessionKey): Promise<boolean> {
    return this.change(key, 'initialized', '1');
  }

  async subscribe(key: SessionKey, uri: string, max: number): Promise<'subscribed' | 'full' | 'unknown'> {
    const now = this.clock.now();
    const tag = sessionTag(key);
    const { session, subscriptions } = sessionKeys(tag);
    const answer = await SUBSCRIBE.run(this.redis, [session, subscriptions], [now, uri, max]);
    const [outcome, number = '', ends] = answer as ['subscribed' | 'full' | 'unknown', string?, string?];
    if (outcome !== 'subscribed') return outcome;
    const { server } = key;
    const subscribed: Subscriptions = [[uri, number]];
    const place = placeOf(0, tag);
    await this.index.refresh({ server, scopes: [], place, ends: Number(ends), subscriptions: subscribed }, now);
    return 'subscribed';
  }

  async unsubscribe(key: SessionKey, uri: string): Promise<boolean> {
    const tag = sessionTag(key);
    const { session, subscriptions } = sessionKeys(tag);
    const subscription = await UNSUBSCRIBE.run(this.redis, [session, subscriptions], [this.clock.now(), uri]);
    if (typeof subscription !== 'string') return false;
    if (subscription !== '') this.aside(this.index.unsubscribed(key.server, uri, [{ tag, subscription }]));
    return true;
  }

  async subscribers(server: string, uri: string): Promise<readonly SessionRecord[]> {
    const now = this.clock.now();
    const named = await this.index.subscribers(server, uri);
    const gone: typeof named = [];
    const living: SessionRecord[] = [];
    await inBatches(named, async (one) => {
      const { session, subscriptions } = sessionKeys(one.tag);
      const answer = await READ_SUBSCRIBER.run(this.redis, [session, subscriptions], [uri, ...FIELDS]);
      const [subscription, ...values] = answer as (string | null)[];
      const found = sessionFrom(values);
      if (subscription !== one.subscription || found === undefined) gone.push(one);
      else if (found.record.expiresAt > now) living.push(found.record);
    });
    this.aside(this.index.unsubscribed(server, uri, gone));
    return living;
  }

  async delete(key: SessionKey): Promise<boolean> {
    const tag = sessionTag(key);
    const { lived, listed, subscriptions } = await this.remove(tag, 'whatever');
    if (listed === undefined) return false;
    // The session is gone, whether or not the lists can be told now: what they say of it lapses.
    await this.index.remove(listed.scopes, [placeOf(listed.createdAt, tag)]).catch(this.options.onFault);
    for (const [uri, subscription] of subscriptions) {
      this.aside(this.index.unsubscribed(key.server, uri, [{ tag, subscription }]));
    }
    return lived;
  }

  async list(scope: string, limit: number, after?: string): Promise<SessionPage> {
    const now = this.clock.now();
    const items: SessionRecord[] = [];
    const places: string[] = [];
    const lapsed: string[] = [];
    let last = after;
    // One more than asked for tells whether there is more.
    while (items.length <= limit) {
      // Where many have lapsed, ever more are looked at.
      const wanted = Math.max(limit + 1 - items.length, Math.min(lapsed.length, BATCH));
      const some = await this.index.page(scope, wanted, last);
      const found = await inBatches(some, (place) => this.read(tagOfPlace(place)));
      for (const [at, place] of some.entries()) {
        const record = found[at]?.record;
        if (record === undefined || record.expiresAt <= now) lapsed.push(place);
        else places.push(place) && items.push(record);
      }
      last = some.at(-1);
      if (some.length < wanted) break;
    }
    if (lapsed.length > 0) this.aside(this.sweep([scope], lapsed));
    return { items: items.slice(0, limit), next: items.length > limit ? places[limit - 1] : undefined };
  }

  /** Takes a place in every scope; gives the scope that is full with sessions that live. */
  private async reserve(
    caps: readonly SessionCap[],
    place: string,
    ends: number,
    now: number,
  ): Promise<SessionCap | undefined> {
    for (;;) {
      const { full, lapsed } = await this.index.reserve(caps, place, ends, now);
      if (full === undefined) {
        const scopes = caps.map(({ scope }) => scope);
        if (lapsed.length > 0) this.aside(this.sweep(scopes, lapsed));
        return undefined;
      }
      if (lapsed.length === 0) return full;
      await this.sweep([full.scope], lapsed);
    }
  }

  /** Lets go of sessions whose time has passed, and tells the lists the end of those that live. */
  private async sweep(scopes: readonly string[], places: readonly string[]): Promise<void> {
    for (let start = 0; start < places.length; start += BATCH) {
      await this.sweepBatch(scopes, places.slice(start, start + BATCH));
    }
  }

  private async sweepBatch(scopes: readonly string[], places: readonly string[]): Promise<void> {
    const now = this.clock.now();
    const gone: string[] = [];
    const each = async (place: string) => {
      const { ends } = await this.remove(tagOfPlace(place), 'lapsed');
      if (ends === undefined) gone.push(place);
      else await this.index.refresh({ server: '', scopes, place, ends, subscriptions: [] }, now);
    };
    await Promise.all(places.map(each));
    // One that is being opened is in the lists before it is there.
    await this.index.remove(scopes, gone, now);
  }

  private async remove(tag: string, which: 'lapsed' | 'whatever') {
    const { session, subscriptions, state, turn, queue, waiting, words } = sessionKeys(tag);
    const keys = [session, subscriptions, state, turn, queue, waiting, words];
    const answer = await DELETE.run(this.redis, keys, [this.clock.now(), which]);
    const [lived, ends, about, ...subscribed] = answer as [number, string, string, ...string[]];
    return {
      lived: lived === 1,
      ends: ends === '' ? undefined : Number(ends),
      listed: listedAs(about),
      subscriptions: subscriptionsIn(subscribed),
    };
  }

  private async giveBack(record: SessionRecord, scopes: readonly string[], place: string): Promise<void> {
    // It may have been stored although no answer came.
    const removed = this.remove(sessionTag(record), 'whatever');
    await Promise.all([removed, this.index.remove(scopes, [place])]);
  }

  private tellLists({ record, scopes }: StoredSession, tag: string, subscriptions: Subscriptions): Promise<void> {
    const { server, createdAt, expiresAt: ends } = record;
    const place = placeOf(createdAt, tag);
    return this.index.refresh({ server, scopes, place, ends, subscriptions }, this.clock.now());
  }

  private async read(tag: string): Promise<StoredSession | undefined> {
    const found = sessionFrom(await this.redis.hmget(sessionKeys(tag).session, ...FIELDS));
    return found === undefined || found.record.expiresAt <= this.clock.now() ? undefined : found;
  }

  private async change(key: SessionKey, field: string, value: string): Promise<boolean> {
    return (await CHANGE.run(this.redis, [keysOf(key).session], [this.clock.now(), field, value])) === 1;
  }

  /** Nobody waits for it. */
  private aside(work: Promise<unknown>): void {
    work.catch(this.options.onFault);
  }
}

function keysOf(key: SessionKey): SessionKeys {
  return sessionKeys(sessionTag(key));
}

/** Pairs of what comes one after the other. */
function subscriptionsIn(words: readonly string[]): Subscriptions {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < words.length; at += 2) pairs.push([words[at] as string, words[at + 1] as string]);
  return pairs;
}

async function inBatches<T, R>(all: readonly T[], each: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < all.length; start += BATCH) {
    results.push(...(await Promise.all(all.slice(start, start + BATCH).map(each))));
  }
  return results;
}
