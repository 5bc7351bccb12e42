import type { JobRunEnd } from '@gantry/mcp-core';
import { systemClock } from '@gantry/mcp-core';
import { FakeClock } from '@gantry/mcp-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../../test/harness/database.js';
import { type HeldRun, JobDesk } from '../../../../test/harness/job-desk.js';

const db = useDatabase();
const LEASE_MS = 10_000;
const DONE: JobRunEnd = { kind: 'ended', end: { outcome: { content: [{ type: 'text', text: 'done' }] } } };

const desks: JobDesk[] = [];
async function desk(clock = systemClock) {
  const made = new JobDesk(db, clock);
  desks.push(made);
  await made.start();
  return made;
}
afterEach(async () => {
  await Promise.all(desks.splice(0).map((one) => one.close()));
});

describe('a worker', () => {
  it('ends what it runs, and tells its caller when the end is stored', async () => {
    const { run, row, told, submit } = await desk();
    const id = await submit();
    (await run(id)).end(DONE);
    await told(id, 'answer');
    expect(await row(id)).toMatchObject({ status: 'completed', attempts: 1, answeredAt: expect.any(Date) });
  });

  it('tries a job again that could not begin, and gives it up after a few times', async () => {
    const clock = new FakeClock(Date.now());
    const one = await desk(clock);
    const id = await one.submit();
    for (let attempt = 1; attempt <= 3; attempt++) {
      const run: HeldRun = await one.run(id, attempt);
      run.fail(new Error('nothing of it is there'));
      await one.passing(
        () => one.row(id),
        (row) => row?.attempts !== attempt || row?.status !== 'running',
      );
    }
    await one.told(id, 'answer');
    expect(await one.row(id)).toMatchObject({ status: 'failed', error: 'Internal error', attempts: 3 });
  });

  it('stores an end though Postgres does not take it at first', async () => {
    const { run, row, told, submit, repository } = await desk();
    const { finish } = repository;
    let refusals = 2;
    repository.finish = (...given) =>
      refusals-- > 0 ? Promise.reject(new Error('Connection terminated')) : finish.apply(repository, given);
    const id = await submit();
    (await run(id)).end(DONE);
    await told(id, 'answer');
    expect([(await row(id))?.status, refusals]).toEqual(['completed', -1]);
  });

  it('knows an end that it has stored, though the answer of Postgres was lost', async () => {
    const { run, row, told, submit, repository } = await desk();
    const { finish } = repository;
    let lost = 1;
    repository.finish = async (...given) => {
      const job = await finish.apply(repository, given);
      if (lost-- > 0) throw new Error('Connection terminated');
      return job;
    };
    const id = await submit();
    (await run(id)).end(DONE);
    await told(id, 'answer');
    expect([(await row(id))?.status, lost]).toEqual(['completed', -1]);
  });

  it('tells the end that was stored, where Postgres does not take the one that was to be', async () => {
    const { run, row, told, submit, repository, handler } = await desk();
    const { finish } = repository;
    let refused = 1;
    repository.finish = (...given) =>
      refused-- > 0
        ? Promise.reject(Object.assign(new Error('too much'), { code: '54000' }))
        : finish.apply(repository, given);
    const ends: unknown[] = [];
    const { answer } = handler;
    handler.answer = (job, end) => {
      ends.push(end);
      return answer(job, end);
    };
    const id = await submit();
    (await run(id)).end(DONE);
    await told(id, 'answer');
    expect((await row(id))?.status).toBe('failed');
    expect(ends).toEqual([{ error: expect.objectContaining({ message: 'Internal error' }) }]);
  });

  it('tells a caller again who could not be told at first', async () => {
    const { run, told, submit, handler } = await desk();
    const { answer } = handler;
    let refusals = 1;
    handler.answer = (job, end) => (refusals-- > 0 ? Promise.reject(new Error('away')) : answer(job, end));
    const id = await submit();
    (await run(id)).end(DONE);
    await told(id, 'answer');
  });

  it('stores progress at most four times a second, the newest', async () => {
    const one = await desk();
    const { progress } = one.repository;
    const stored: number[] = [];
    one.repository.progress = (claim, done, ...rest) => {
      stored.push(done);
      return progress.call(one.repository, claim, done, ...rest);
    };
    const id = await one.submit();
    const run = await one.run(id);
    const begun = performance.now();
    for (let done = 1; done <= 1_000; done++) run.progressed(done);
    await expect.poll(async () => (await one.row(id))?.progress).toBe(1_000);
    run.end(DONE);
    await one.told(id, 'answer');
    expect(stored.length).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - begun) / 250));
    expect(await one.row(id)).toMatchObject({ progress: 1_000 });
  });

  it('hands back what may be repeated when it stops, lets the rest end, and gives up what does not', async () => {
    const one = await desk();
    const [repeated, ends, stays] = [await one.submit({ repeatable: true }), await one.submit(), await one.submit()];
    const [again, last] = [await one.run(repeated), await one.run(ends)];
    await one.run(stays);
    const closed = one.worker.close(300);
    await again.aborted();
    again.end({ kind: 'cancelled' });
    last.end(DONE);
    await closed;
    expect(await one.row(repeated)).toMatchObject({ status: 'queued', node: undefined });
    expect((await one.row(ends))?.status).toBe('completed');
    expect((await one.row(stays))?.status).toBe('unknown');
    await one.told(stays, 'answer');
  });

  it('cancels what is to be cancelled though it was handed back at the same time', async () => {
    const one = await desk();
    const id = await one.submit({ repeatable: true });
    const run = await one.run(id);
    await one.repository.cancel(one.tenantId, id, 'why', 60_000);
    const closed = one.worker.close(1_000);
    await run.aborted();
    run.end({ kind: 'cancelled' });
    await closed;
    await one.told(id, 'leave');
    expect((await one.row(id))?.status).toBe('cancelled');
  });
});

describe('a worker whose lease has lapsed', () => {
  it('stops what it ran, which says nothing more, and gives it back itself when nobody else has', async () => {
    const clock = new FakeClock(Date.now());
    const one = await desk(clock);
    const [once, repeated] = [await one.submit(), await one.submit({ repeatable: true })];
    const runs = [await one.run(once), await one.run(repeated)];
    expect(runs.map((run) => run.isMine())).toEqual([true, true]);
    one.freeze(LEASE_MS);
    await Promise.all(runs.map((run) => run.aborted()));
    expect(runs.map((run) => run.isMine())).toEqual([false, false]);
    for (const run of runs) run.end(DONE);
    await one.told(once, 'answer');
    expect(await one.row(once)).toMatchObject({ status: 'unknown', attempts: 1 });
    (await one.run(repeated, 2)).end(DONE);
    await one.told(repeated, 'answer');
    expect(await one.row(repeated)).toMatchObject({ status: 'completed', attempts: 2 });
  });

  it('stops what it runs while Postgres does not answer at all', async () => {
    const clock = new FakeClock(Date.now());
    const one = await desk(clock);
    const run = await one.run(await one.submit());
    one.workers.beat = () => new Promise(() => {});
    clock.advance(LEASE_MS);
    await run.aborted();
    expect(run.isMine()).toBe(false);
  });

  it('claims nothing', async () => {
    const clock = new FakeClock(Date.now());
    const one = await desk(clock);
    one.workers.beat = () => Promise.reject(new Error('away'));
    clock.advance(LEASE_MS);
    const id = await one.submit();
    expect(await one.transport.offer(id, clock)).toBe(false);
    expect(await one.row(id)).toMatchObject({ status: 'queued', attempts: 0 });
  });
});

describe('a claim', () => {
  /** A desk whose claims are made and not heard of until `hear`. */
  async function unheard() {
    const one = await desk();
    const { claim } = one.repository;
    let hear = () => {};
    const heard = new Promise<void>((resolve) => {
      hear = resolve;
    });
    one.repository.claim = async (...given) => {
      const job = await claim.apply(one.repository, given);
      await heard;
      return job;
    };
    const claimed = async (id: string) => {
      await one.passing(
        () => one.row(id),
        (row) => row?.status === 'running',
      );
    };
    return { one, hear, claimed };
  }

  it('that is heard of when the process was given up begins nothing', async () => {
    const { one, hear, claimed } = await unheard();
    const id = await one.submit();
    await claimed(id);
    await one.worker.close(0);
    expect((await one.row(id))?.status).toBe('unknown');
    hear();
    await one.passing(
      async () => one.worker.active,
      (active) => active === 0,
    );
    expect(one.begun).toBe(0);
  });

  it('that is heard of when the worker rests begins nothing, and another one has the job', async () => {
    const { one, hear, claimed } = await unheard();
    const id = await one.submit();
    await claimed(id);
    const closed = one.worker.close(5_000);
    hear();
    await closed;
    expect(one.begun).toBe(0);
    expect(await one.row(id)).toMatchObject({ status: 'queued', attempts: 1, node: undefined });
  });

  it('that is heard of after a cancel begins nothing that is not stopped', async () => {
    const { one, hear, claimed } = await unheard();
    const id = await one.submit();
    await claimed(id);
    await one.repository.cancel(one.tenantId, id, 'why', 60_000);
    await one.askToCancel(id);
    hear();
    const run = await one.run(id);
    expect(run.signal.aborted).toBe(true);
    run.end({ kind: 'cancelled' });
    await one.told(id, 'leave');
    expect((await one.row(id))?.status).toBe('cancelled');
  });

  it('that was not heard of is given back', async () => {
    const one = await desk();
    const { claim } = one.repository;
    let lost = 1;
    one.repository.claim = async (...given) => {
      const job = await claim.apply(one.repository, given);
      if (lost-- > 0) throw new Error('Connection terminated');
      return job;
    };
    const id = await one.submit({ repeatable: true });
    (await one.run(id, 2)).end(DONE);
    await one.told(id, 'answer');
    expect(await one.row(id)).toMatchObject({ status: 'completed', attempts: 2 });
  });

  it('of a later attempt is not taken for that of an earlier one in the same process', async () => {
    const one = await desk();
    const id = await one.submit({ repeatable: true });
    const first = await one.run(id);
    await one.workers.lose('worker', one.handler.unknownEnd, 60_000, [{ id, attempt: 1 }]);
    await first.aborted();
    await one.admission.run();
    const second = await one.run(id, 2);
    first.end(DONE);
    await one.cancel(id, second);
    await one.told(id, 'leave');
    expect(await one.row(id)).toMatchObject({ status: 'cancelled', attempts: 2 });
  });
});
