import { describe, expect, it } from 'vitest';
import type { SessionKey, SessionRecord, SessionStore } from '../../ports/session-store.js';

export interface SessionStoreSubject {
  readonly store: SessionStore;
  /** The time the store goes by, in milliseconds since the epoch. */
  now(): number;
  /** Lets that time pass. */
  advance(ms: number): Promise<void> | void;
  close?(): Promise<void> | void;
}

let made = 0;

/** A record as a node opens it; `lifetime` in milliseconds. */
export function sessionRecord(now: number, key: Partial<SessionKey> = {}, lifetime = 10_000): SessionRecord {
  made++;
  return {
    server: `server-${made}`,
    owner: 'owner',
    id: `session-${made}`,
    client: { name: 'contract', version: '1', revision: '2025-11-25', capabilities: { sampling: {} } },
    logLevel: 'info',
    initialized: false,
    standaloneStream: `stream-${made}`,
    state: '{}',
    stateVersion: 0,
    node: 'node-1',
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + lifetime,
    ...key,
  };
}

/** What every `SessionStore` promises. `make` gives a fresh one for each test. */
export function sessionStoreContract(
  name: string,
  make: () => Promise<SessionStoreSubject> | SessionStoreSubject,
): void {
  const using = (body: (subject: SessionStoreSubject) => Promise<void>) => async () => {
    const subject = await make();
    try {
      await body(subject);
    } finally {
      await subject.close?.();
    }
  };

  describe(`SessionStore contract: ${name}`, () => {
    it(
      'gives back what was stored, whole',
      using(async ({ store, now }) => {
        const record = sessionRecord(now());
        expect(await store.create(record, 10)).toBe('created');
        expect(await store.get(record)).toEqual(record);
      }),
    );

    it(
      'finds nothing by a key that differs in server, owner or id',
      using(async ({ store, now }) => {
        const record = sessionRecord(now());
        await store.create(record, 10);
        for (const change of [{ server: 'x' }, { owner: 'x' }, { id: 'x' }]) {
          const key = { ...record, ...change };
          expect(await store.get(key)).toBeUndefined();
          expect(await store.touch(key, 1_000)).toBeUndefined();
          expect(await store.setLogLevel(key, 'error')).toBe(false);
          expect(await store.markInitialized(key)).toBe(false);
          expect(await store.subscribe(key, 'docs://a', 10)).toBe('unknown');
          expect(await store.unsubscribe(key, 'docs://a')).toBe(false);
          expect(await store.saveState(key, '{}', 0)).toBe(false);
          expect(await store.delete(key)).toBe(false);
        }
        expect(await store.get(record)).toEqual(record);
      }),
    );

    it(
      'does not mix up keys whose parts run together',
      using(async ({ store, now }) => {
        const one = sessionRecord(now(), { server: 'a', owner: 'bc', id: 'd' });
        const two = sessionRecord(now(), { server: 'ab', owner: 'c', id: 'd' });
        await store.create(one, 10);
        expect(await store.get(two)).toBeUndefined();
      }),
    );

    it(
      'keeps the cap of each server, and counts none that has ended',
      using(async ({ store, now, advance }) => {
        const server = sessionRecord(now()).server;
        const short = sessionRecord(now(), { server }, 1_000);
        const long = sessionRecord(now(), { server });
        expect(await store.create(short, 2)).toBe('created');
        expect(await store.create(long, 2)).toBe('created');
        expect(await store.create(sessionRecord(now(), { server }), 2)).toBe('full');
        expect(await store.create(sessionRecord(now()), 2)).toBe('created');
        expect(await store.count(server)).toBe(2);
        await advance(1_001);
        expect(await store.create(sessionRecord(now(), { server }), 2)).toBe('created');
        expect(await store.delete(long)).toBe(true);
        expect(await store.count(server)).toBe(1);
      }),
    );

    it(
      'forgets a session when its time has passed',
      using(async ({ store, now, advance }) => {
        const record = sessionRecord(now(), {}, 1_000);
        await store.create(record, 10);
        await advance(1_001);
        expect(await store.get(record)).toBeUndefined();
        expect(await store.touch(record, 1_000)).toBeUndefined();
        expect(await store.list(record.server)).toEqual([]);
        expect(await store.delete(record)).toBe(false);
      }),
    );

    it(
      'moves the end with each touch and says when it was',
      using(async ({ store, now, advance }) => {
        const record = sessionRecord(now(), {}, 1_000);
        await store.create(record, 10);
        await advance(600);
        const touched = await store.touch(record, 1_000);
        expect(touched?.lastSeenAt).toBeGreaterThanOrEqual(record.lastSeenAt + 600);
        expect(touched?.expiresAt).toBe((touched?.lastSeenAt ?? 0) + 1_000);
        expect(touched?.client).toEqual(record.client);
        await advance(600);
        expect(await store.get(record)).toEqual(touched);
      }),
    );

    it(
      'remembers the log level',
      using(async ({ store, now }) => {
        const record = sessionRecord(now());
        await store.create(record, 10);
        expect(await store.setLogLevel(record, 'critical')).toBe(true);
        expect(await store.get(record)).toEqual({ ...record, logLevel: 'critical' });
      }),
    );

    it(
      'remembers that the client is ready',
      using(async ({ store, now }) => {
        const record = sessionRecord(now());
        await store.create(record, 10);
        expect(await store.markInitialized(record)).toBe(true);
        expect(await store.markInitialized(record)).toBe(true);
        expect(await store.get(record)).toEqual({ ...record, initialized: true });
      }),
    );

    it(
      'knows who is subscribed to exactly a URI, of one server',
      using(async ({ store, now }) => {
        const one = sessionRecord(now());
        const two = sessionRecord(now(), { server: one.server });
        const other = sessionRecord(now());
        for (const record of [one, two, other]) await store.create(record, 10);
        for (const record of [one, one, other])
          expect(await store.subscribe(record, 'docs://a', 10)).toBe('subscribed');
        await store.subscribe(two, 'docs://a/b', 10);
        expect(await store.subscribers(one.server, 'docs://a')).toEqual([one]);
        expect(await store.subscribers(one.server, 'docs://nothing')).toEqual([]);
        await store.subscribe(two, 'docs://a', 10);
        expect(await store.subscribers(one.server, 'docs://a')).toHaveLength(2);
        expect(await store.unsubscribe(one, 'docs://a')).toBe(true);
        expect(await store.unsubscribe(one, 'docs://a')).toBe(true);
        expect(await store.subscribers(one.server, 'docs://a')).toEqual([two]);
      }),
    );

    it(
      'keeps the cap of subscriptions, in which one that is there already counts once',
      using(async ({ store, now }) => {
        const record = sessionRecord(now());
        await store.create(record, 10);
        const outcomes = await Promise.all(['a', 'b', 'a', 'c', 'd'].map((uri) => store.subscribe(record, uri, 3)));
        expect(outcomes).toEqual(['subscribed', 'subscribed', 'subscribed', 'subscribed', 'full']);
        expect(await store.subscribe(record, 'a', 3)).toBe('subscribed');
        await store.unsubscribe(record, 'a');
        expect(await store.subscribe(record, 'd', 3)).toBe('subscribed');
      }),
    );

    it(
      'lets subscriptions go with their session, ended or over',
      using(async ({ store, now, advance }) => {
        const deleted = sessionRecord(now());
        const over = sessionRecord(now(), { server: deleted.server }, 1_000);
        for (const record of [deleted, over]) {
          await store.create(record, 10);
          await store.subscribe(record, 'docs://a', 10);
        }
        await store.delete(deleted);
        await advance(1_001);
        expect(await store.subscribers(deleted.server, 'docs://a')).toEqual([]);
        await store.create({ ...deleted, expiresAt: now() + 1_000 }, 10);
        expect(await store.subscribers(deleted.server, 'docs://a')).toEqual([]);
      }),
    );

    it(
      'stores state only over the version it was read at',
      using(async ({ store, now }) => {
        const record = sessionRecord(now());
        await store.create(record, 10);
        expect(await store.saveState(record, '{"n":1}', 0)).toBe(true);
        expect(await store.saveState(record, '{"n":9}', 0)).toBe(false);
        expect(await store.saveState(record, '{"n":2}', 1)).toBe(true);
        expect(await store.get(record)).toMatchObject({ state: '{"n":2}', stateVersion: 2 });
      }),
    );

    it(
      'lets one of many callers delete',
      using(async ({ store, now }) => {
        const record = sessionRecord(now());
        await store.create(record, 10);
        const outcomes = await Promise.all([1, 2, 3].map(() => store.delete(record)));
        expect(outcomes.filter(Boolean)).toHaveLength(1);
        expect(await store.get(record)).toBeUndefined();
      }),
    );

    it(
      'lists one server or all, oldest first',
      using(async ({ store, now, advance }) => {
        const first = sessionRecord(now());
        await store.create(first, 10);
        await advance(5);
        const second = sessionRecord(now(), { server: first.server });
        await store.create(second, 10);
        const other = sessionRecord(now());
        await store.create(other, 10);
        expect(await store.list(first.server)).toEqual([first, second]);
        const all = await store.list();
        for (const record of [first, second, other]) expect(all).toContainEqual(record);
      }),
    );
  });
}
