import { describe, expect, it } from 'vitest';
import {
  NOT_AGREED,
  type SessionCap,
  type SessionKey,
  type SessionRecord,
  type SessionStore,
} from '../../ports/session-store.js';

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
    transport: 'streamable-http',
    client: { name: 'contract', version: '1', revision: '2025-11-25', capabilities: { sampling: {} } },
    logLevel: 'info',
    initialized: false,
    standaloneStream: `stream-${made}`,
    node: 'node-1',
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + lifetime,
    ...key,
  };
}

async function create(store: SessionStore, record: SessionRecord, max: number): Promise<'created' | 'full'> {
  return (await store.create(record, [{ scope: record.server, max }])) === 'created' ? 'created' : 'full';
}

async function all(store: SessionStore, scope: string): Promise<readonly SessionRecord[]> {
  const { items, next } = await store.list(scope, 100);
  expect(next).toBeUndefined();
  return items;
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
        expect(await create(store, record, 10)).toBe('created');
        expect(await store.get(record)).toEqual(record);
      }),
    );

    it(
      'takes the client of a session that has agreed with nobody, once (wire A5)',
      using(async ({ store, now }) => {
        const { client, ...rest } = sessionRecord(now());
        const record: SessionRecord = { ...rest, client: NOT_AGREED, transport: 'http+sse' };
        const other = { ...client, name: 'other' };
        await create(store, record, 10);
        expect(await store.get(record)).toEqual(record);
        const outcomes = await Promise.all([store.agree(record, client), store.agree(record, other)]);
        expect([...outcomes].sort()).toEqual(['agreed', 'already']);
        const agreed = { ...record, client: outcomes[0] === 'agreed' ? client : other };
        expect(await store.get(record)).toEqual(agreed);
        expect(await all(store, record.server)).toEqual([agreed]);
        expect((await store.touch(record, 10_000))?.client).toEqual(agreed.client);
        expect(await store.agree(record, client)).toBe('already');
        const met = sessionRecord(now());
        await create(store, met, 10);
        expect(await store.agree(met, other)).toBe('already');
        expect(await store.get(met)).toEqual(met);
      }),
    );

    it(
      'finds nothing by a key that differs in server, owner or id',
      using(async ({ store, now }) => {
        const record = sessionRecord(now());
        await create(store, record, 10);
        for (const change of [{ server: 'x' }, { owner: 'x' }, { id: 'x' }]) {
          const key = { ...record, ...change };
          expect(await store.get(key)).toBeUndefined();
          expect(await store.touch(key, 1_000)).toBeUndefined();
          expect(await store.agree(key, record.client)).toBe('unknown');
          expect(await store.setLogLevel(key, 'error')).toBe(false);
          expect(await store.markInitialized(key)).toBe(false);
          expect(await store.subscribe(key, 'docs://a', 10)).toBe('unknown');
          expect(await store.unsubscribe(key, 'docs://a')).toBe(false);
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
        await create(store, one, 10);
        expect(await store.get(two)).toBeUndefined();
      }),
    );

    it(
      'keeps the cap of each server, and counts none that has ended',
      using(async ({ store, now, advance }) => {
        const server = sessionRecord(now()).server;
        const short = sessionRecord(now(), { server }, 1_000);
        const long = sessionRecord(now(), { server });
        expect(await create(store, short, 2)).toBe('created');
        expect(await create(store, long, 2)).toBe('created');
        expect(await create(store, sessionRecord(now(), { server }), 2)).toBe('full');
        expect(await create(store, sessionRecord(now()), 2)).toBe('created');
        expect(await all(store, server)).toHaveLength(2);
        await advance(1_001);
        expect(await all(store, server)).toHaveLength(1);
        expect(await create(store, sessionRecord(now(), { server }), 2)).toBe('created');
        expect(await store.delete(long)).toBe(true);
        expect(await all(store, server)).toHaveLength(1);
      }),
    );

    it(
      'forgets a session when its time has passed',
      using(async ({ store, now, advance }) => {
        const record = sessionRecord(now(), {}, 1_000);
        await create(store, record, 10);
        await advance(1_001);
        expect(await store.get(record)).toBeUndefined();
        expect(await store.touch(record, 1_000)).toBeUndefined();
        expect(await all(store, record.server)).toEqual([]);
        expect(await store.delete(record)).toBe(false);
      }),
    );

    it(
      'moves the end with each touch and says when it was',
      using(async ({ store, now, advance }) => {
        const record = sessionRecord(now(), {}, 1_000);
        await create(store, record, 10);
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
        await create(store, record, 10);
        expect(await store.setLogLevel(record, 'critical')).toBe(true);
        expect(await store.get(record)).toEqual({ ...record, logLevel: 'critical' });
      }),
    );

    it(
      'remembers that the client is ready',
      using(async ({ store, now }) => {
        const record = sessionRecord(now());
        await create(store, record, 10);
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
        for (const record of [one, two, other]) await create(store, record, 10);
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
        await create(store, record, 10);
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
          await create(store, record, 10);
          await store.subscribe(record, 'docs://a', 10);
        }
        await store.delete(deleted);
        await advance(1_001);
        expect(await store.subscribers(deleted.server, 'docs://a')).toEqual([]);
        await create(store, { ...deleted, expiresAt: now() + 1_000 }, 10);
        expect(await store.subscribers(deleted.server, 'docs://a')).toEqual([]);
      }),
    );

    it(
      'lets one of many callers delete',
      using(async ({ store, now }) => {
        const record = sessionRecord(now());
        await create(store, record, 10);
        const outcomes = await Promise.all([1, 2, 3].map(() => store.delete(record)));
        expect(outcomes.filter(Boolean)).toHaveLength(1);
        expect(await store.get(record)).toBeUndefined();
      }),
    );

    it(
      'counts a session under every scope it was opened in, and stores none when one of them is full',
      using(async ({ store, now, advance }) => {
        const first = sessionRecord(now());
        const { server } = first;
        const caps = (record: SessionRecord): [SessionCap, SessionCap] => [
          { scope: record.server, max: 10 },
          { scope: `${server}/callers`, max: 2 },
        ];
        await advance(1);
        const second = sessionRecord(now(), { server: `${server}/second` });
        await advance(1);
        const third = sessionRecord(now(), { server: `${server}/third` });
        expect(await store.create(first, caps(first))).toBe('created');
        expect(await store.create(second, caps(second))).toBe('created');
        expect(await store.create(third, caps(third))).toEqual({ scope: `${server}/callers`, max: 2 });
        expect(await store.get(third)).toBeUndefined();
        expect(await all(store, third.server)).toHaveLength(0);
        expect(await all(store, `${server}/callers`)).toHaveLength(2);
        await store.delete(first);
        expect(await store.create(third, caps(third))).toBe('created');
        expect(await all(store, `${server}/callers`)).toEqual([second, third]);
      }),
    );

    it(
      'lets no more in than fit, however many come at once',
      using(async ({ store, now }) => {
        const { server } = sessionRecord(now());
        const records = Array.from({ length: 20 }, () => sessionRecord(now(), { server }));
        const outcomes = await Promise.all(records.map((record) => create(store, record, 5)));
        expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(5);
      }),
    );

    it(
      'lists a scope oldest first, a page at a time',
      using(async ({ store, now, advance }) => {
        const { server } = sessionRecord(now());
        const records: SessionRecord[] = [];
        for (let made = 0; made < 5; made++) {
          const record = sessionRecord(now(), { server });
          records.push(record);
          await create(store, record, 10);
          await advance(5);
        }
        await create(store, sessionRecord(now()), 10);
        const first = await store.list(server, 2);
        expect(first.items).toEqual(records.slice(0, 2));
        const second = await store.list(server, 2, first.next);
        expect(second.items).toEqual(records.slice(2, 4));
        // A page is found again although the session it ended with has gone.
        await store.delete(records[3] as SessionRecord);
        expect(await store.list(server, 2, second.next)).toEqual({ items: records.slice(4), next: undefined });
      }),
    );
  });
}
