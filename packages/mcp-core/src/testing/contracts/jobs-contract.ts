import { describe, expect, it } from 'vitest';
import { requestKey } from '../../jsonrpc/messages.js';
import type { CatalogueTool } from '../../ports/catalogue.js';
import { Gate } from '../fixture-server.js';
import { contractTools, JobsHand, type JobsSubject, OWNER, YES } from './jobs-contract-world.js';

/** What every `Jobs` promises. `make` gives one that offers these tools, whose server nobody else has used. */
export function jobsContract(
  name: string,
  make: (tools: readonly CatalogueTool[]) => Promise<JobsSubject> | JobsSubject,
): void {
  const using = (body: (hand: JobsHand, gate: Gate) => Promise<void>) => async () => {
    const gate = new Gate();
    const subject = await make(contractTools(gate));
    try {
      await body(new JobsHand(subject), gate);
    } finally {
      gate.open();
      await subject.close?.();
    }
  };

  describe(`Jobs contract: ${name}`, () => {
    it(
      'is found by any process as soon as it is named, under an id that nobody guesses',
      using(async (hand, gate) => {
        const { jobs, elsewhere } = hand.subject;
        const { job, joined } = await jobs.submit(hand.submission('waits', { ttlMs: 60_000 }));
        expect(joined).toBe(false);
        expect(job.id.length).toBeGreaterThanOrEqual(22);
        const found = await elsewhere.get(hand.owner, job.id);
        expect(found).toMatchObject({ id: job.id, tool: 'waits', face: 'task', ttlMs: 60_000 });
        expect(['queued', 'running']).toContain(found?.status);
        await gate.entered();
        expect((await hand.when(job.id, ({ status }) => status === 'running')).end).toBeUndefined();
      }),
    );

    it(
      "keeps the tool's own outcome, and tells of the end after it is stored",
      using(async (hand) => {
        const job = await hand.over(await hand.task('echo', { arguments: { n: [1, null, 'é'] } }));
        expect(job).toMatchObject({
          status: 'completed',
          end: { outcome: { structuredContent: { n: [1, null, 'é'] }, content: [{ type: 'text', text: 'echo' }] } },
        });
        expect(job.updatedAt).toBeGreaterThanOrEqual(job.createdAt);
      }),
    );

    it(
      'tells a tool that failed from a protocol error, and both from success',
      using(async (hand) => {
        const failed = await hand.over(await hand.task('fails'));
        expect(failed).toMatchObject({ status: 'failed', end: { outcome: { isError: true } } });
        const refused = await hand.over(await hand.task('refuses'));
        expect(refused.status).toBe('failed');
        expect(refused.end).toEqual({ error: { code: -32001, message: 'no such order', data: { order: 7 } } });
      }),
    );

    it(
      "answers on the call's own stream, and ends it",
      using(async (hand) => {
        const { id, said } = await hand.call('echo');
        const messages = await said();
        expect(messages.at(-1)).toMatchObject({ jsonrpc: '2.0', id: 1, result: { resultType: 'complete' } });
        expect((await hand.over(id)).status).toBe('completed');
      }),
    );

    it(
      'is nobody else’s to see, cancel or answer',
      using(async (hand, gate) => {
        const { jobs, server, otherServer } = hand.subject;
        const id = await hand.task('waits');
        await gate.entered();
        for (const [at, owner] of [
          [jobs, { server, owner: 'key:stranger' }],
          [otherServer.jobs, { server: otherServer.server, owner: OWNER }],
        ] as const) {
          expect(await at.get(owner, id)).toBeUndefined();
          expect(await at.cancel(owner, id)).toBeUndefined();
          expect(await at.answer(owner, id, { one: YES })).toBeUndefined();
          expect(await at.list(owner, 10)).toEqual([]);
        }
        expect(await jobs.get(hand.owner, `${id}x`)).toBeUndefined();
        expect(gate.signals[0]?.aborted).toBe(false);
      }),
    );

    it(
      'lists tasks and no calls, the newest first, page by page',
      using(async (hand) => {
        const { elsewhere } = hand.subject;
        const ids: string[] = [];
        for (let at = 0; at < 5; at++) ids.unshift(await hand.task('echo', { arguments: { at } }));
        await hand.call('echo');
        const walked: string[] = [];
        for (let after: string | undefined; ; ) {
          const page = await elsewhere.list(hand.owner, 2, after);
          walked.push(...page.map(({ id }) => id));
          after = page.at(-1)?.id;
          if (page.length < 2) break;
        }
        expect(walked).toEqual(ids);
      }),
    );

    it(
      'aborts what runs, through any process, and ends cancelled once the work has stopped',
      using(async (hand, gate) => {
        const id = await hand.task('waits');
        await gate.entered();
        await hand.subject.elsewhere.cancel(hand.owner, id, 'enough');
        expect((await hand.over(id)).status).toBe('cancelled');
        expect(gate.signals[0]?.aborted).toBe(true);
      }),
    );

    it(
      'leaves what is over as it was',
      using(async (hand) => {
        const id = await hand.task('echo');
        const job = await hand.over(id);
        expect(await hand.subject.jobs.cancel(hand.owner, id)).toEqual(job);
        expect(await hand.subject.jobs.answer(hand.owner, id, { one: YES })).toEqual(job);
      }),
    );

    it(
      'ends the stream of a call that is cancelled, without an answer',
      using(async (hand, gate) => {
        const { id, said } = await hand.call('waits');
        await gate.entered();
        const messages = said();
        await hand.subject.jobs.cancel(hand.owner, id);
        expect(await messages).toEqual([]);
      }),
    );

    it(
      'cancels the call of a session by its request',
      using(async (hand, gate) => {
        const { server, jobs, elsewhere, snapshot } = hand.subject;
        const session = { server, owner: OWNER, id: 'a-session' };
        const { caller } = hand.submission('waits');
        const named = { ...caller, sessionId: session.id };
        const ids = [
          await hand.task('waits', { face: 'call', snapshot, caller: { ...named, requestId: 7 } }),
          await hand.task('waits', { face: 'call', snapshot, caller: { ...named, requestId: '7' } }),
        ] as const;
        await gate.entered(2);
        elsewhere.cancelCall(session, requestKey(7), 'enough');
        expect((await hand.over(ids[0])).status).toBe('cancelled');
        expect((await jobs.get(hand.owner, ids[1]))?.status).toBe('running');
      }),
    );

    it(
      'waits with its questions, and runs on with the last answer',
      using(async (hand) => {
        const { jobs, elsewhere } = hand.subject;
        const id = await hand.task('asks');
        const asking = await hand.when(id, ({ status }) => status === 'input_required');
        expect(Object.keys(asking.questions ?? {}).sort()).toEqual(['one', 'two']);
        await jobs.answer(hand.owner, id, { three: YES });
        const partly = await elsewhere.answer(hand.owner, id, { one: YES });
        expect([partly?.status, Object.keys(partly?.questions ?? {})]).toEqual(['input_required', ['two']]);
        await jobs.answer(hand.owner, id, { one: { result: { action: 'cancel' } }, two: YES });
        const job = await hand.over(id);
        expect(job.questions).toBeUndefined();
        expect(JSON.parse(textOf(job.end))).toEqual({ one: YES, two: YES });
      }),
    );

    it(
      'cancels what waits for answers at once',
      using(async (hand) => {
        const id = await hand.task('asks');
        await hand.when(id, ({ status }) => status === 'input_required');
        expect((await hand.subject.elsewhere.cancel(hand.owner, id))?.status).toBe('cancelled');
      }),
    );

    it(
      'joins the same call under the same key, running or over, and refuses another',
      using(async (hand, gate) => {
        const { jobs, elsewhere } = hand.subject;
        const keyed = (more: object = {}) => hand.submission('waits', { idempotencyKey: 'k', ...more });
        const first = await jobs.submit(keyed({ arguments: { a: 1, b: 2 } }));
        await gate.entered();
        const again = await elsewhere.submit(keyed({ arguments: { b: 2, a: 1 } }));
        expect([again.joined, again.job.id]).toEqual([true, first.job.id]);
        await expect(jobs.submit(keyed({ arguments: { a: 2 } }))).rejects.toMatchObject({ code: -32602 });
        gate.open();
        await hand.over(first.job.id);
        const late = await jobs.submit(keyed({ arguments: { a: 1, b: 2 } }));
        expect([late.joined, late.job.status, gate.entries]).toEqual([true, 'completed', 1]);
      }),
    );

    it(
      'takes a key as one of its caller and tool only',
      using(async (hand, gate) => {
        const { jobs } = hand.subject;
        const first = await jobs.submit(hand.submission('waits', { idempotencyKey: 'k' }));
        const others = [
          hand.submission('echo', { idempotencyKey: 'k' }),
          hand.submission('waits', { idempotencyKey: 'k', owner: 'key:stranger' }),
          hand.submission('waits', { idempotencyKey: 'k 2' }),
        ];
        for (const other of others) {
          const { job, joined } = await jobs.submit(other);
          expect([joined, job.id === first.job.id]).toEqual([false, false]);
        }
        await gate.entered(3);
      }),
    );

    it(
      'runs once of many that are submitted at once under one key',
      using(async (hand, gate) => {
        const { jobs, elsewhere } = hand.subject;
        const sent = Array.from({ length: 8 }, (_, at) =>
          (at % 2 ? jobs : elsewhere).submit(hand.submission('waits', { idempotencyKey: 'once' })),
        );
        const submitted = await Promise.all(sent);
        expect(submitted.filter(({ joined }) => !joined)).toHaveLength(1);
        expect(new Set(submitted.map(({ job }) => job.id)).size).toBe(1);
        await gate.entered();
        gate.open();
        await hand.over(submitted[0]?.job.id ?? '');
        expect(gate.entries).toBe(1);
      }),
    );
  });
}

function textOf(end: unknown): string {
  return (end as { outcome: { content: [{ text: string }] } }).outcome.content[0].text;
}
