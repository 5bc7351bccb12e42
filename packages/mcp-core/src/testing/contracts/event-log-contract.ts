import { describe, expect, it } from 'vitest';
import type { EventLog, StreamFollower } from '../../ports/event-log.js';
import type { SessionKey } from '../../ports/session-store.js';

export interface EventLogSubject {
  readonly log: EventLog;
  /** A session that exists, for adapters that ask. */
  session(): Promise<SessionKey> | SessionKey;
  /** Lets the time the log goes by pass. */
  advance(ms: number): Promise<void> | void;
  close?(): Promise<void> | void;
}

const wide = { maxEvents: 1_000, maxBytes: 1_000_000 };

/** Notes what it is told, and wakes whoever waits for a number of notes. */
class Notes implements StreamFollower {
  readonly said: string[] = [];
  #waiting: Array<{ count: number; resolve: () => void }> = [];

  event({ sequence, data }: { sequence: number; data: string }): void {
    this.#note(`${sequence}:${data}`);
  }
  gap(next: number): void {
    this.#note(`gap before ${next}`);
  }
  end(): void {
    this.#note('end');
  }
  taken(): void {
    this.#note('taken');
  }

  async until(count: number): Promise<string[]> {
    if (this.said.length < count) await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
    return this.said;
  }

  #note(words: string): void {
    this.said.push(words);
    for (const { count, resolve } of this.#waiting) if (this.said.length >= count) resolve();
  }
}

/** What every `EventLog` promises. `make` gives a fresh one for each test. */
export function eventLogContract(name: string, make: () => Promise<EventLogSubject> | EventLogSubject): void {
  const using = (body: (subject: EventLogSubject & { readonly key: SessionKey }) => Promise<void>) => async () => {
    const subject = await make();
    try {
      await body({ ...subject, key: await subject.session() });
    } finally {
      await subject.close?.();
    }
  };

  describe(`EventLog contract: ${name}`, () => {
    it(
      'keeps a stream that no session stands behind, from its opening to five minutes after its end',
      using(async ({ log, advance }) => {
        const key = { server: 't/s', owner: 'o', id: 'a job of nobody', alone: true } as const;
        expect(await log.append(key, 's', 'too early')).toBeUndefined();
        await log.open(key, 's', wide);
        const notes = new Notes();
        await log.follow(key, 's', 0, notes);
        await log.append(key, 's', 'one');
        await log.append(key, 's', 'two', true);
        expect(await notes.until(3)).toEqual(['1:one', '2:two', 'end']);
        expect(await log.append(key, 's', 'again', true)).toBeUndefined();
        await advance(299_000);
        expect(await log.readAfter(key, 's', 1)).toMatchObject({ events: [{ data: 'two' }], ended: true });
      }),
    );

    it(
      'counts the events of each stream from 1 and reads them back after a position',
      using(async ({ log, key }) => {
        await log.open(key, 's', wide);
        await log.open(key, 't', wide);
        expect([
          await log.append(key, 's', 'a'),
          await log.append(key, 's', 'b'),
          await log.append(key, 't', 'c'),
        ]).toEqual([1, 2, 1]);
        expect(await log.readAfter(key, 's', 0)).toEqual({
          events: [
            { sequence: 1, data: 'a' },
            { sequence: 2, data: 'b' },
          ],
          gap: false,
          ended: false,
        });
        expect(await log.readAfter(key, 's', 1)).toMatchObject({ events: [{ sequence: 2, data: 'b' }] });
        expect(await log.readAfter(key, 's', 2)).toEqual({ events: [], gap: false, ended: false });
        expect([await log.last(key, 's'), await log.last(key, 't')]).toEqual([2, 1]);
      }),
    );

    it(
      'knows no stream that was not opened, no position that was not reached, and no session but the stream’s own',
      using(async ({ log, key, session }) => {
        await log.open(key, 's', wide);
        const other = await session();
        expect(await log.append(key, 'x', 'a')).toBeUndefined();
        expect(await log.readAfter(key, 'x', 0)).toBeUndefined();
        expect(await log.last(key, 'x')).toBeUndefined();
        expect(await log.follow(key, 'x', 0, new Notes())).toBeUndefined();
        expect(await log.readAfter(key, 's', 1)).toBeUndefined();
        expect(await log.follow(key, 's', 1, new Notes())).toBeUndefined();
        expect(await log.readAfter(other, 's', 0)).toBeUndefined();
        expect(await log.append(other, 's', 'a')).toBeUndefined();
      }),
    );

    it(
      'changes nothing when an open stream is opened again',
      using(async ({ log, key }) => {
        await log.open(key, 's', wide);
        await log.append(key, 's', 'a');
        await log.open(key, 's', wide);
        expect(await log.last(key, 's')).toBe(1);
      }),
    );

    it(
      'evicts the oldest over the count and tells of the gap',
      using(async ({ log, key }) => {
        await log.open(key, 's', { maxEvents: 2, maxBytes: 1_000 });
        for (const data of ['a', 'b', 'c', 'd']) await log.append(key, 's', data);
        expect(await log.readAfter(key, 's', 1)).toEqual({
          events: [
            { sequence: 3, data: 'c' },
            { sequence: 4, data: 'd' },
          ],
          gap: true,
          ended: false,
        });
        expect(await log.readAfter(key, 's', 2)).toMatchObject({ gap: false });
        const notes = new Notes();
        const stop = await log.follow(key, 's', 0, notes);
        expect(await notes.until(3)).toEqual(['gap before 3', '3:c', '4:d']);
        stop?.();
      }),
    );

    it(
      'evicts the oldest over the bytes, and keeps the newest whatever its size',
      using(async ({ log, key }) => {
        await log.open(key, 's', { maxEvents: 100, maxBytes: 10 });
        for (const data of ['aaaaaa', 'bbbbbb', 'c'.repeat(50)]) await log.append(key, 's', data);
        expect(await log.readAfter(key, 's', 0)).toMatchObject({ events: [{ sequence: 3 }], gap: true });
      }),
    );

    it(
      'follows from a position on and then live, each event once and in order',
      using(async ({ log, key }) => {
        await log.open(key, 's', wide);
        for (let at = 1; at <= 20; at++) await log.append(key, 's', `old ${at}`);
        const notes = new Notes();
        const following = log.follow(key, 's', 5, notes);
        const appended = Array.from({ length: 20 }, (_, at) => log.append(key, 's', `new ${at + 21}`));
        const stop = await following;
        await Promise.all(appended);
        const said = await notes.until(35);
        expect(said.map((words) => Number(words.split(':')[0]))).toEqual(Array.from({ length: 35 }, (_, at) => at + 6));
        stop?.();
      }),
    );

    it(
      'tells nothing to a follower that has stopped',
      using(async ({ log, key }) => {
        await log.open(key, 's', wide);
        const stopped = new Notes();
        const stop = await log.follow(key, 's', 0, stopped);
        stop?.();
        stop?.();
        await log.append(key, 's', 'a');
        const later = new Notes();
        const stopLater = await log.follow(key, 's', 0, later);
        expect(await later.until(1)).toEqual(['1:a']);
        expect(stopped.said).toEqual([]);
        stopLater?.();
      }),
    );

    it(
      'has one follower a stream: a later one takes it over where it stands',
      using(async ({ log, key }) => {
        await log.open(key, 's', wide);
        await log.append(key, 's', 'a');
        const [before, after] = [new Notes(), new Notes()];
        const stopBefore = await log.follow(key, 's', 0, before);
        await before.until(1);
        const stopAfter = await log.follow(key, 's', 1, after);
        expect(await before.until(2)).toEqual(['1:a', 'taken']);
        // Its end must not end the one that came after.
        stopBefore?.();
        await log.append(key, 's', 'b');
        expect(await after.until(1)).toEqual(['2:b']);
        expect(before.said).toHaveLength(2);
        stopAfter?.();
      }),
    );

    it(
      'ends a stream for live and for later followers, and takes no more for it',
      using(async ({ log, key }) => {
        await log.open(key, 's', wide);
        const live = new Notes();
        await log.follow(key, 's', 0, live);
        await log.append(key, 's', 'a');
        await log.end(key, 's');
        await log.end(key, 's');
        expect(await live.until(2)).toEqual(['1:a', 'end']);
        expect(await log.append(key, 's', 'b')).toBeUndefined();
        const late = new Notes();
        expect(await log.follow(key, 's', 0, late)).toBeDefined();
        expect(await late.until(2)).toEqual(['1:a', 'end']);
        expect(await log.readAfter(key, 's', 0)).toMatchObject({ ended: true });
      }),
    );

    it(
      'ends a stream with its last event',
      using(async ({ log, key }) => {
        await log.open(key, 's', wide);
        const live = new Notes();
        await log.follow(key, 's', 0, live);
        expect([
          await log.append(key, 's', 'a', false),
          await log.append(key, 's', 'b', true),
          await log.append(key, 's', 'c', true),
        ]).toEqual([1, 2, undefined]);
        expect(await live.until(3)).toEqual(['1:a', '2:b', 'end']);
        expect(await log.readAfter(key, 's', 0)).toMatchObject({ events: [{}, {}], ended: true });
      }),
    );

    it(
      'takes calls for one stream in the order they are made, without waiting for each other',
      using(async ({ log, key }) => {
        const [early, late] = [new Notes(), new Notes()];
        const calls = [
          log.open(key, 's', wide),
          log.append(key, 's', 'a'),
          log.follow(key, 's', 0, early),
          log.append(key, 's', 'b'),
          log.readAfter(key, 's', 1),
          log.follow(key, 's', 1, late),
          log.last(key, 's'),
          log.open(key, 's', { maxEvents: 1, maxBytes: 1 }),
          log.append(key, 's', 'c', true),
          log.append(key, 's', 'd'),
        ];
        const [, first, , second, read, , last, , third, fourth] = await Promise.all(calls);
        expect([first, second, last, third, fourth]).toEqual([1, 2, 2, 3, undefined]);
        expect(read).toEqual({ events: [{ sequence: 2, data: 'b' }], gap: false, ended: false });
        expect(await early.until(3)).toEqual(['1:a', '2:b', 'taken']);
        expect(await late.until(3)).toEqual(['2:b', '3:c', 'end']);
      }),
    );

    it(
      'keeps what an event holds as it is, whatever its size',
      using(async ({ log, key }) => {
        await log.open(key, 's', wide);
        const notes = new Notes();
        await log.follow(key, 's', 0, notes);
        const texts = ['{"text":"設計 \\u0000 \\n €"}', `"${'ü'.repeat(20_000)}"`, '{\n  "spread": true\r\n}', '""'];
        for (const text of texts) await log.append(key, 's', text);
        expect(await notes.until(4)).toEqual(texts.map((text, at) => `${at + 1}:${text}`));
        const read = await log.readAfter(key, 's', 0);
        expect(read?.events.map(({ data }) => data)).toEqual(texts);
      }),
    );

    it(
      'lets no follower that throws keep others, or those who append, from going on',
      using(async ({ log, key }) => {
        await log.open(key, 's', wide);
        const fault = () => {
          throw new Error('this follower cannot be told');
        };
        await log.follow(key, 's', 0, { event: fault, gap: fault, end: fault, taken: fault });
        expect(await log.append(key, 's', 'a')).toBe(1);
        const notes = new Notes();
        await log.follow(key, 's', 0, notes);
        await log.append(key, 's', 'b', true);
        expect(await notes.until(3)).toEqual(['1:a', '2:b', 'end']);
      }),
    );

    it(
      'keeps an ended stream for five minutes',
      using(async ({ log, key, advance }) => {
        await log.open(key, 's', wide);
        await log.append(key, 's', 'a');
        await log.end(key, 's');
        await advance(300_000);
        expect(await log.readAfter(key, 's', 0)).toMatchObject({ events: [{ data: 'a' }] });
      }),
    );

    it(
      'forgets a dropped session and ends its followers',
      using(async ({ log, key, session }) => {
        const other = await session();
        await log.open(key, 's', wide);
        await log.open(other, 's', wide);
        await log.append(key, 's', 'a');
        const notes = new Notes();
        await log.follow(key, 's', 1, notes);
        await log.drop(key);
        expect(await notes.until(1)).toEqual(['end']);
        expect(await log.readAfter(key, 's', 0)).toBeUndefined();
        expect(await log.append(key, 's', 'b')).toBeUndefined();
        expect(await log.last(other, 's')).toBe(0);
      }),
    );
  });
}
