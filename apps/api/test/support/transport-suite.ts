import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JobTransport } from '../../src/modules/jobs/transport/job-transport.js';
import { Arrivals, within } from '../wire/deadline.js';

/** What a worker in a process of its own is told: where the queue is, and how long its ids are kept for it. */
export interface WorkerSettings {
  readonly kind: 'redis' | 'postgres';
  readonly url: string;
  readonly lockMs: number;
  readonly stalledLookMs: number;
}

export interface TransportSubject {
  /** Starts the service behind it; once for all tests. */
  start(): Promise<void>;
  stop(): Promise<void>;
  make(times: { lockMs: number; stalledLookMs: number }): JobTransport;
  settings(): Pick<WorkerSettings, 'kind' | 'url'>;
  /** Cuts every connection to the service, which is back at once. */
  cut(): Promise<void>;
}

const TIMES = { lockMs: 1_000, stalledLookMs: 500 };
const ENTRY = fileURLToPath(new URL('queue-worker.mjs', import.meta.url));
const LONG_MS = 40_000;

/** What every carrier of job ids promises, tried on the real queue. */
export function transportSuite(name: string, subject: TransportSubject): void {
  describe(`JobTransport: ${name}`, () => {
    const open: JobTransport[] = [];
    const children: ChildProcess[] = [];
    beforeAll(() => subject.start(), LONG_MS);
    afterAll(() => subject.stop(), LONG_MS);
    afterEach(async () => {
      for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
      // At rest first: what a worker took ends, and does not come to the next test.
      await Promise.all(open.splice(0).map((one) => one.rest().then(() => one.close())));
    }, LONG_MS);

    const transport = () => {
      const made = subject.make(TIMES);
      open.push(made);
      return made;
    };
    const taking = async (one: JobTransport, slots = 4, work: (id: string) => Promise<void> = async () => {}) => {
      const taken = new Arrivals<string>();
      await one.work(async (id) => {
        taken.add(id);
        await work(id);
        return true;
      }, slots);
      return taken;
    };
    /** A worker in a process of its own that takes what comes and never ends it. */
    const stuckWorker = async () => {
      const child = fork(ENTRY, [JSON.stringify({ ...subject.settings(), ...TIMES })], { stdio: 'inherit' });
      children.push(child);
      const taken = new Arrivals<string>();
      child.on('message', (id) => taken.add(String(id)));
      await taken.first('its start', (id) => id === 'ready', { ms: LONG_MS });
      return { child, taken };
    };

    it('brings each id to a worker once, in the order they were added', async () => {
      const one = transport();
      const ids = Array.from({ length: 20 }, (_, at) => `${name}-order-${at}`);
      for (const id of ids) await one.add(id);
      const taken = await taking(one, 1);
      await taken.first('the last', (id) => id === ids.at(-1));
      expect(taken.all).toEqual(ids);
    });

    it('takes an id twice for the same, while it waits', async () => {
      const one = transport();
      await one.add(`${name}-twice`);
      await one.add(`${name}-twice`);
      await one.add(`${name}-after`);
      const taken = await taking(one, 1);
      await taken.first('the next', (id) => id === `${name}-after`);
      expect(taken.all).toEqual([`${name}-twice`, `${name}-after`]);
    });

    it(
      'loses none of a thousand that end at once, added while the worker starts',
      async () => {
        const one = transport();
        const ids = Array.from({ length: 1_000 }, (_, at) => `${name}-quick-${at}`);
        const added = Promise.all(ids.map((id) => one.add(id)));
        const taken = new Set<string>();
        let takes = 0;
        const all = new Promise<void>((resolve) => {
          void one.work(async (id) => {
            takes++;
            if (taken.add(id).size === ids.length) resolve();
            return true;
          }, 16);
        });
        await added;
        await within('all of them', all, LONG_MS);
        expect(takes).toBe(ids.length);
      },
      LONG_MS,
    );

    it('takes back what waits, and not what is under way', async () => {
      const one = transport();
      let letGo = () => {};
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      await one.add(`${name}-under-way`);
      const taken = await taking(one, 1, () => held);
      await taken.first('the first', () => true);
      await one.add(`${name}-waits`);
      expect(await one.remove(`${name}-waits`)).toBe(true);
      expect(await one.remove(`${name}-under-way`)).toBe(false);
      expect(await one.remove(`${name}-never`)).toBe(false);
      letGo();
      await one.add(`${name}-last`);
      await taken.first('the last', (id) => id === `${name}-last`);
      expect(taken.all).toEqual([`${name}-under-way`, `${name}-last`]);
    });

    it(
      'takes an id back or brings it to a worker, and makes no fault of it, when both reach for it at once',
      async () => {
        const one = transport();
        let letGo = () => {};
        let held = Promise.resolve();
        const taken = await taking(one, 1, () => held);
        const takenBack = new Set<string>();
        const ids = Array.from({ length: 200 }, (_, at) => `${name}-contested-${at}`);
        for (const id of ids) {
          held = new Promise((resolve) => {
            letGo = resolve;
          });
          await one.add(id);
          if (await one.remove(id)) takenBack.add(id);
          letGo();
        }
        await one.add(`${name}-uncontested`);
        await taken.first('the last', (id) => id === `${name}-uncontested`);
        // Both may have come to it: whether it runs is not decided here.
        const came = new Set(taken.all);
        expect(ids.filter((id) => !came.has(id) && !takenBack.has(id))).toEqual([]);
        expect(came.size).toBe(taken.all.length);
      },
      LONG_MS,
    );

    it(
      'rests when it is told to, and goes on afterwards',
      async () => {
        const one = transport();
        const taken = await taking(one, 1);
        await one.add(`${name}-before`);
        await taken.first('the one before', () => true);
        await one.rest();
        const other = transport();
        await other.add(`${name}-meanwhile`);
        const others = await taking(other, 1);
        await others.first('the other takes it', (id) => id === `${name}-meanwhile`);
        await other.rest();
        await one.resume();
        await one.add(`${name}-later`);
        await taken.first('the one after', (id) => id === `${name}-later`);
      },
      LONG_MS,
    );

    it(
      'holds no more than its slots at once, over a rest with work under way',
      async () => {
        const one = transport();
        let letGo = () => {};
        const held = new Promise<void>((resolve) => {
          letGo = resolve;
        });
        const taken = await taking(one, 1, () => held);
        await one.add(`${name}-held`);
        await taken.first('the first', () => true);
        await one.rest();
        await one.resume();
        await one.add(`${name}-next`);
        const other = transport();
        const others = new Arrivals<string>();
        let rests = false;
        await other.work(async (id) => {
          if (rests) return false;
          others.add(id);
          return true;
        }, 1);
        await others.first('the other takes it', () => true);
        expect([taken.all, others.all]).toEqual([[`${name}-held`], [`${name}-next`]]);
        rests = true;
        await other.rest();
        letGo();
        await one.add(`${name}-after-all`);
        await taken.first('the first again, when it has room', (id) => id === `${name}-after-all`);
      },
      LONG_MS,
    );

    it(
      'brings what a worker puts back to another one',
      async () => {
        const [one, other] = [transport(), transport()];
        const mine = `${name}-put-back`;
        const refused = new Arrivals<string>();
        await one.work(async (id) => {
          // What an earlier worker left unended comes here too.
          if (id !== mine) return true;
          refused.add(id);
          await one.rest();
          return false;
        }, 1);
        await other.add(mine);
        await refused.first('the first', () => true);
        const taken = await taking(other, 1);
        await taken.first('the other', (id) => id === mine, { ms: 3_000 });
        expect(refused.all).toHaveLength(1);
      },
      LONG_MS,
    );

    it(
      'brings an id again whose process was killed',
      async () => {
        const { child, taken } = await stuckWorker();
        const one = transport();
        await one.add(`${name}-killed`);
        await taken.first('the first process', (id) => id === `${name}-killed`);
        child.kill('SIGKILL');
        await once(child, 'exit');
        const again = await taking(one);
        await again.first('the next process', (id) => id === `${name}-killed`, { ms: LONG_MS });
      },
      LONG_MS,
    );

    it(
      'brings an id again whose process lost its lock, frozen',
      async () => {
        const { child, taken } = await stuckWorker();
        const one = transport();
        await one.add(`${name}-frozen`);
        await taken.first('the first process', (id) => id === `${name}-frozen`);
        child.kill('SIGSTOP');
        const again = await taking(one);
        await again.first('the next process', (id) => id === `${name}-frozen`, { ms: LONG_MS });
        child.kill('SIGCONT');
      },
      LONG_MS,
    );

    it(
      'goes on after its connections were cut',
      async () => {
        const one = transport();
        const taken = await taking(one);
        await one.add(`${name}-before-cut`);
        await taken.first('the one before', () => true);
        await subject.cut();
        await expect
          .poll(
            () =>
              one.add(`${name}-after-cut`).then(
                () => true,
                () => false,
              ),
            { timeout: 15_000 },
          )
          .toBe(true);
        await taken.first('the one after', (id) => id === `${name}-after-cut`, { ms: LONG_MS });
      },
      LONG_MS,
    );
  });
}
