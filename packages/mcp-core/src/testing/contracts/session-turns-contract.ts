import { describe, expect, it } from 'vitest';
import type { SessionKey } from '../../ports/session-store.js';
import type { NoTurn, SessionTurn, SessionTurns } from '../../ports/session-turns.js';

export interface SessionTurnsSubject {
  readonly turns: SessionTurns;
  /** The same turns as another node takes them; one process has only one. */
  readonly elsewhere: SessionTurns;
  /** A session that exists. */
  session(): Promise<SessionKey> | SessionKey;
  /** Ends it. */
  end(session: SessionKey): Promise<void> | void;
  /** Lets the time that waits go by pass. */
  advance(ms: number): Promise<void> | void;
  close?(): Promise<void> | void;
}

const forever = new AbortController().signal;
const LIMIT_MS = 60_000;

/** What every `SessionTurns` promises. `make` gives a fresh one for each test. */
export function sessionTurnsContract(
  name: string,
  make: () => Promise<SessionTurnsSubject> | SessionTurnsSubject,
): void {
  const using = (body: (subject: SessionTurnsSubject & { readonly key: SessionKey }) => Promise<void>) => async () => {
    const subject = await make();
    try {
      await body({ ...subject, key: await subject.session() });
    } finally {
      await subject.close?.();
    }
  };

  describe(`SessionTurns contract: ${name}`, () => {
    it(
      'begins with an empty object and keeps what each turn leaves',
      using(async ({ turns, elsewhere, key }) => {
        const first = granted(await turns.take(key, forever, LIMIT_MS));
        expect(first.state).toBe('{}');
        expect(await first.end('{"n":1}')).toBe(true);
        const second = granted(await elsewhere.take(key, forever, LIMIT_MS));
        expect(second.state).toBe('{"n":1}');
        expect(await second.end()).toBe(true);
        expect(granted(await turns.take(key, forever, LIMIT_MS)).state).toBe('{"n":1}');
      }),
    );

    it(
      'lets one at a time through, in the order they came, on whichever node',
      using(async ({ turns, elsewhere, key }) => {
        const first = granted(await turns.take(key, forever, LIMIT_MS));
        const order: number[] = [];
        const waiting: Promise<void>[] = [];
        for (let at = 0; at < 6; at++) {
          const by = at % 2 === 0 ? turns : elsewhere;
          const wait = by.take(key, forever, LIMIT_MS);
          waiting.push(
            wait.then(async (turn) => {
              order.push(at);
              await granted(turn).end(`{"last":${at}}`);
            }),
          );
          // Each has its place in the queue before the next asks for one.
          await queued(by, key);
        }
        expect(order).toEqual([]);
        await first.end();
        await Promise.all(waiting);
        expect(order).toEqual([0, 1, 2, 3, 4, 5]);
        expect(granted(await turns.take(key, forever, LIMIT_MS)).state).toBe('{"last":5}');
      }),
    );

    it(
      'counts to two hundred, whoever counts',
      using(async ({ turns, elsewhere, key }) => {
        const increment = async (by: SessionTurns) => {
          const turn = granted(await by.take(key, forever, LIMIT_MS));
          const { n = 0 } = JSON.parse(turn.state) as { n?: number };
          expect(await turn.end(JSON.stringify({ n: n + 1 }))).toBe(true);
        };
        await Promise.all(Array.from({ length: 200 }, (_, at) => increment(at % 2 === 0 ? turns : elsewhere)));
        expect(granted(await turns.take(key, forever, LIMIT_MS)).state).toBe('{"n":200}');
      }),
      30_000,
    );

    it(
      'lets go of a wait that is given up, and goes on with the next',
      using(async ({ turns, elsewhere, key }) => {
        const first = granted(await turns.take(key, forever, LIMIT_MS));
        const given = new AbortController();
        const gaveUp = elsewhere.take(key, given.signal, LIMIT_MS);
        await queued(elsewhere, key);
        const next = turns.take(key, forever, LIMIT_MS);
        await queued(turns, key);
        given.abort();
        expect(await gaveUp).toBe('aborted');
        await first.end();
        expect(await granted(await next).end()).toBe(true);
        expect(await turns.take(key, given.signal, LIMIT_MS)).toBe('aborted');
      }),
    );

    it(
      'ends a wait that takes too long',
      using(async ({ turns, key, advance }) => {
        const first = granted(await turns.take(key, forever, LIMIT_MS));
        const late = turns.take(key, forever, 50);
        await queued(turns, key);
        await advance(60);
        expect(await late).toBe('late');
        await first.end();
        expect(await granted(await turns.take(key, forever, LIMIT_MS)).end()).toBe(true);
      }),
    );

    it(
      'gives no turn in a session that does not exist, and stores nothing for one that ended meanwhile',
      using(async ({ turns, key, end }) => {
        const turn = granted(await turns.take(key, forever, LIMIT_MS));
        await end(key);
        expect(await turn.end('{"n":1}')).toBe(false);
        expect(await turns.take(key, forever, LIMIT_MS)).toBe('ended');
      }),
    );
  });
}

function granted(turn: SessionTurn | NoTurn): SessionTurn {
  if (typeof turn === 'string') throw new Error(`no turn: ${turn}`);
  return turn;
}

/** Resolves when what was asked of the same node before has reached the queue. */
async function queued(turns: SessionTurns, key: SessionKey): Promise<void> {
  const given = new AbortController();
  const probe = turns.take(key, given.signal, LIMIT_MS);
  given.abort();
  expect(await probe).toBe('aborted');
}
