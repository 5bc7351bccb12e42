import type { JobRunEnd } from '@gantry/mcp-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../../test/harness/database.js';
import { AdmissionRepository } from '../admission/admission.repository.js';
import { JobRepository } from './job.repository.js';
import { JobQueries } from './job-queries.repository.js';
import type { NewJob } from './job-record.js';
import { WorkerRepository } from './worker.repository.js';

const db = useDatabase();
const LIMITS = { queued: 1_000, concurrent: 50, keyMs: 60_000 };
const KEPT_MS = 60_000;
const DONE: JobRunEnd = { kind: 'ended', end: { outcome: { content: [{ type: 'text', text: 'done' }] } } };
const UNKNOWN = { outcome: { content: [], isError: true } };
const SERVER = '00000000-0000-7000-8000-0000000000aa';

let jobs: JobRepository;
let workers: WorkerRepository;
let queries: JobQueries;
let admission: AdmissionRepository;
let tenants: string[];
let made = 0;

function job(tenant = 0, more: Partial<NewJob> = {}): NewJob {
  return {
    id: `job-${++made}`,
    tenantId: tenants[tenant] as string,
    serverId: SERVER,
    server: 'orders',
    revision: 1,
    tool: 'report',
    owner: 'key:k1',
    principal: 'key:k1',
    face: 'task',
    arguments: { n: made },
    caller: {
      client: { revision: '2026-07-28', capabilities: {} },
      principal: { kind: 'key', id: 'k1', scopes: [] },
      requestId: made,
    },
    repeatable: false,
    timeoutMs: 1_000,
    ...more,
  };
}

async function submitted(tenant = 0, more: Partial<NewJob> = {}, limits = LIMITS) {
  const one = job(tenant, more);
  await jobs.submit(one, limits);
  return one;
}

beforeAll(async () => {
  jobs = new JobRepository(db.pool);
  workers = new WorkerRepository(db.pool);
  queries = new JobQueries(db.pool);
  admission = new AdmissionRepository(db.pool);
  const { rows } = await db.superuser.query(
    `INSERT INTO tenants (id, slug, name) SELECT gen_random_uuid(), 't' || n, 'T' FROM generate_series(1, 3) n RETURNING id`,
  );
  tenants = rows.map(({ id }) => id);
});

beforeEach(async () => {
  await db.superuser.query('TRUNCATE jobs, job_results, job_attempts, job_turns, job_workers CASCADE');
});

describe('a job', () => {
  it('is stored, and admitted at once where there is room and nobody waits', async () => {
    expect(await jobs.submit(job(), LIMITS)).toMatchObject({ outcome: 'stored' });
    await workers.beat('w1', 4);
    expect(await jobs.submit(job(), LIMITS)).toMatchObject({ outcome: 'stored' });
    await admission.admit(50);
    expect(await jobs.submit(job(), LIMITS)).toMatchObject({ outcome: 'admitted' });
  });

  it('is refused when its tenant has as many waiting as it may have, and others are not', async () => {
    await submitted();
    expect(await jobs.submit(job(), { ...LIMITS, queued: 1 })).toEqual({ outcome: 'full' });
    expect(await jobs.submit(job(1), { ...LIMITS, queued: 1 })).toMatchObject({ outcome: 'stored' });
  });

  it('is claimed by one of all who want it', async () => {
    const { id } = await submitted();
    const claims = await Promise.all(Array.from({ length: 8 }, (_, at) => jobs.claim(id, `w${at}`)));
    const [mine, ...others] = claims.filter((claim) => claim !== undefined);
    expect([mine?.attempts, mine?.status, others]).toEqual([1, 'running', []]);
  });

  it('takes no end from a worker that has it no more', async () => {
    const { id, tenantId } = await submitted(0, { repeatable: true });
    await jobs.claim(id, 'frozen');
    await workers.lose('frozen', () => UNKNOWN, KEPT_MS);
    await jobs.claim(id, 'next');
    const late = { id, node: 'frozen', attempt: 1 };
    expect(await jobs.finish(late, DONE, KEPT_MS)).toBeUndefined();
    expect(await jobs.progress(late, 9)).toBe(false);
    expect(await jobs.handBack(late, KEPT_MS)).toBeUndefined();
    expect((await jobs.get(tenantId, id))?.status).toBe('running');
    expect(await jobs.finish({ id, node: 'next', attempt: 2 }, DONE, KEPT_MS)).toMatchObject({ status: 'completed' });
    const detail = await queries.find(tenantId, id);
    expect(detail?.attemptList.map(({ outcome }) => outcome)).toEqual(['completed', 'lost']);
    expect(detail?.end).toEqual({ outcome: { content: [{ type: 'text', text: 'done' }] } });
  });

  it('ends as unknown when its worker is gone and it may not be repeated, once for all who find it', async () => {
    const { id, tenantId } = await submitted();
    await jobs.claim(id, 'gone');
    const losses = await Promise.all([1, 2, 3].map(() => workers.lose('gone', () => UNKNOWN, KEPT_MS)));
    expect(losses.flatMap((lost) => lost?.unknown.map((one) => one.id))).toEqual([id]);
    expect(await jobs.get(tenantId, id)).toMatchObject({ status: 'unknown', end: UNKNOWN });
    expect(await jobs.claim(id, 'next')).toBeUndefined();
  });

  it('is left to a worker whose lease stands', async () => {
    const { id, tenantId } = await submitted();
    await workers.beat('alive', 1);
    await jobs.claim(id, 'alive');
    expect(await workers.lost()).toEqual([]);
    expect(await workers.lose('alive', () => UNKNOWN, KEPT_MS)).toBeUndefined();
    expect((await jobs.get(tenantId, id))?.status).toBe('running');
  });

  it('is cancelled at once while it waits, and marked while it runs', async () => {
    const waiting = await submitted();
    const running = await submitted();
    await jobs.claim(running.id, 'w');
    expect(await jobs.cancel(waiting.tenantId, waiting.id, 'why', KEPT_MS)).toMatchObject({ status: 'cancelled' });
    expect(await jobs.claim(waiting.id, 'w')).toBeUndefined();
    expect(await jobs.cancel(running.tenantId, running.id, 'why', KEPT_MS)).toMatchObject({ status: 'running' });
    await workers.beat('w', 1);
    expect((await workers.beat('w', 1)).cancels).toEqual([{ id: running.id, reason: 'why' }]);
    expect(await jobs.cancel(waiting.tenantId, waiting.id, 'why', KEPT_MS)).toBeUndefined();
  });

  it('is cancelled when it is given back, or asks, after it was told to stop', async () => {
    const asks: JobRunEnd = { kind: 'asks', questions: {}, rounds: { round: 1, answers: {}, kept: {} } };
    const ends = [
      (id: string) => jobs.handBack({ id, node: 'w', attempt: 1 }, KEPT_MS),
      (id: string) => jobs.finish({ id, node: 'w', attempt: 1 }, asks, KEPT_MS),
    ];
    for (const end of ends) {
      const { id, tenantId } = await submitted(0, { repeatable: true });
      await jobs.claim(id, 'w');
      await jobs.cancel(tenantId, id, 'why', KEPT_MS);
      expect(await end(id)).toMatchObject({ status: 'cancelled', finishedAt: expect.any(Date), questions: undefined });
      expect((await queries.find(tenantId, id))?.attemptList).toMatchObject([{ outcome: 'cancelled' }]);
    }
  });

  it('is given back attempt by attempt by a living worker that does not run it', async () => {
    const { id, tenantId } = await submitted();
    await workers.beat('w', 1);
    await jobs.claim(id, 'w');
    const { mine } = await workers.beat('w', 1);
    expect(mine).toEqual([{ id, attempt: 1 }]);
    expect(await workers.lose('w', () => UNKNOWN, KEPT_MS, [{ id, attempt: 2 }])).toMatchObject({ unknown: [] });
    expect(await workers.lose('w', () => UNKNOWN, KEPT_MS, mine)).toMatchObject({ unknown: [{ id }] });
    expect((await jobs.get(tenantId, id))?.status).toBe('unknown');
  });

  it('is found while its caller was not told of its end or its questions, for as long as somebody may wait', async () => {
    const asks: JobRunEnd = { kind: 'asks', questions: {}, rounds: { round: 1, answers: {}, kept: {} } };
    const [over, asking] = [await submitted(), await submitted()];
    for (const { id } of [over, asking]) await jobs.claim(id, 'w');
    await jobs.finish({ id: over.id, node: 'w', attempt: 1 }, DONE, KEPT_MS);
    await jobs.finish({ id: asking.id, node: 'w', attempt: 1 }, asks, KEPT_MS);
    const found = async (youngerThanMs = 60_000) =>
      (await workers.unanswered(0, youngerThanMs)).map(({ id }) => id).sort();
    expect(await found()).toEqual([over.id, asking.id].sort());
    expect(await found(0)).toEqual([]);
    // Somebody who tells an earlier attempt's words.
    await jobs.answered({ id: over.id, attempts: 0 });
    expect(await found()).toEqual([over.id, asking.id].sort());
    for (const { id } of [over, asking]) await jobs.answered({ id, attempts: 1 });
    expect(await found()).toEqual([]);
  });

  it('is found when nobody answers what it asks, and not once that was answered; it is not forgotten as it is', async () => {
    const asks: JobRunEnd = { kind: 'asks', questions: {}, rounds: { round: 1, answers: {}, kept: {} } };
    const [left, answered] = [await submitted(), await submitted()];
    for (const { id } of [left, answered]) {
      await jobs.claim(id, 'w');
      await jobs.finish({ id, node: 'w', attempt: 1 }, asks, 1);
    }
    const rounds = { round: 1, answers: {}, kept: {} };
    await jobs.answer(answered.tenantId, answered.id, () => ({ questions: undefined, rounds }));
    await expect.poll(() => workers.unheard()).toEqual([{ id: left.id, tenantId: left.tenantId }]);
    expect(await workers.forget()).toBe(0);
    expect(await jobs.cancel(left.tenantId, left.id, 'why', KEPT_MS, true)).toMatchObject({ status: 'cancelled' });
    expect(await workers.unheard()).toEqual([]);
    expect((await jobs.get(answered.tenantId, answered.id))?.status).toBe('queued');
  });

  it('is stored with whatever its caller said, though no text of Postgres can hold it', async () => {
    const odd = { text: 'a\0b', half: '\ud800', '\0': [{ deep: '\udfff' }] };
    const { caller } = job();
    const made = await submitted(0, {
      arguments: odd,
      caller: { ...caller, requestId: 'a\0', meta: odd },
      rounds: { round: 1, answers: {}, kept: odd },
      definition: odd,
    });
    expect(await jobs.claim(made.id, 'w')).toMatchObject({
      arguments: odd,
      caller: { requestId: 'a\0', meta: odd },
      rounds: { kept: odd },
      definition: odd,
    });
  });

  it('takes back the word of its caller with a cancel, which is news to it', async () => {
    const asks: JobRunEnd = { kind: 'asks', questions: {}, rounds: { round: 1, answers: {}, kept: {} } };
    const { id, tenantId } = await submitted();
    await jobs.claim(id, 'w');
    await jobs.finish({ id, node: 'w', attempt: 1 }, asks, KEPT_MS);
    await jobs.answered({ id, attempts: 1 });
    await jobs.cancel(tenantId, id, 'why', KEPT_MS, true);
    expect((await workers.unanswered(0, 60_000)).map((job) => job.id)).toContain(id);
  });

  it('is forgotten when its time is over, with its result', async () => {
    const { id, tenantId } = await submitted();
    await jobs.claim(id, 'w');
    await jobs.finish({ id, node: 'w', attempt: 1 }, DONE, -1_000);
    expect(await jobs.get(tenantId, id)).toBeUndefined();
    expect(await workers.forget()).toBe(1);
    expect((await db.superuser.query('SELECT count(*)::int AS n FROM job_results')).rows).toEqual([{ n: 0 }]);
  });

  it('is nobody else’s: another tenant finds, changes and lists nothing of it', async () => {
    const { id } = await submitted(0, { callKey: 'c' });
    const other = tenants[1] as string;
    expect(await jobs.get(other, id)).toBeUndefined();
    expect(await queries.find(other, id)).toBeUndefined();
    expect(await jobs.cancel(other, id, 'mine now', KEPT_MS)).toBeUndefined();
    expect(
      await jobs.answer(other, id, () => ({ questions: undefined, rounds: { round: 0, answers: {}, kept: {} } })),
    ).toBeUndefined();
    expect(await jobs.byCallKey(other, 'c')).toEqual([]);
    expect(await jobs.listTasks(other, SERVER, 'key:k1', 10, undefined)).toEqual([]);
    expect(await queries.list(other, {}, 10, undefined)).toEqual([]);
    expect((await queries.figures(other)).queued).toBe(0);
  });
});

describe('an idempotency key', () => {
  const keyed = (more: Partial<NewJob> = {}) => job(0, { idempotencyKey: 'k', digest: 'd', ...more });

  it('makes one job of all submissions under it, however they race', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => jobs.submit(keyed(), LIMITS)));
    const ids = new Set(outcomes.map((one) => ('id' in one ? one.id : '')));
    expect([ids.size, outcomes.filter(({ outcome }) => outcome === 'joined').length]).toEqual([1, 7]);
  });

  it('is refused for other arguments, and free for other callers, tools and tenants', async () => {
    await jobs.submit(keyed(), LIMITS);
    expect((await jobs.submit(keyed({ digest: 'other' }), LIMITS)).outcome).toBe('other');
    expect((await jobs.submit(keyed({ owner: 'key:k2' }), LIMITS)).outcome).toBe('stored');
    expect((await jobs.submit(keyed({ tool: 'other' }), LIMITS)).outcome).toBe('stored');
    expect((await jobs.submit(keyed({ tenantId: tenants[1] as string }), LIMITS)).outcome).toBe('stored');
  });

  it('is free again after its time', async () => {
    await jobs.submit(keyed(), LIMITS);
    await db.superuser.query("UPDATE jobs SET created_at = created_at - interval '2 minutes'");
    expect((await jobs.submit(keyed({ digest: 'other' }), LIMITS)).outcome).toBe('stored');
  });
});

describe('admission', () => {
  it('lets a tenant with one job in beside one with hundreds', async () => {
    for (let at = 0; at < 200; at++) await submitted(0);
    const one = await submitted(1);
    await workers.beat('w', 2);
    const admitted = await admission.admit(50);
    expect(admitted).toHaveLength(4);
    expect(admitted.map(({ id }) => id)).toContain(one.id);
  });

  it('keeps each tenant within its cap, its own before the platform’s', async () => {
    for (let at = 0; at < 10; at++) {
      await submitted(0);
      await submitted(1);
    }
    await db.superuser.query(`UPDATE tenants SET limits = '{"concurrentJobs": 2}' WHERE id = $1`, [tenants[1]]);
    await workers.beat('w', 100);
    expect(await admission.admit(3)).toHaveLength(5);
    expect(await admission.admit(3)).toHaveLength(0);
  });

  it('admits at most twice as many as there are slots, whoever asks at the same time', async () => {
    for (let at = 0; at < 20; at++) await submitted(0);
    await workers.beat('w', 3);
    const all = await Promise.all(Array.from({ length: 5 }, () => admission.admit(50)));
    expect(new Set(all.flat().map(({ id }) => id)).size).toBe(6);
    expect(all.flat()).toHaveLength(6);
  });

  it('admits nothing while nobody takes jobs, and finds again what the queue may have lost', async () => {
    await submitted(0);
    expect(await admission.admit(50)).toEqual([]);
    await workers.beat('w', 1);
    const [admitted] = await admission.admit(50);
    const id = admitted?.id;
    expect(await admission.admitted(60_000)).toEqual([]);
    expect((await admission.admitted(0)).map((one) => one.id)).toEqual([id]);
  });
});

describe('the list of jobs', () => {
  it('is walked newest first without a hole, and filtered', async () => {
    for (let at = 0; at < 5; at++) await submitted(0, { tool: at % 2 ? 'odd' : 'even' });
    const seen: string[] = [];
    let after: { at: Date; id: string } | undefined;
    for (;;) {
      const page = await queries.list(tenants[0] as string, {}, 2, after);
      seen.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      if (last === undefined) break;
      after = { at: last.createdAt, id: last.id };
    }
    expect(new Set(seen).size).toBe(5);
    expect(await queries.list(tenants[0] as string, { tool: 'odd' }, 10, undefined)).toHaveLength(2);
  });

  it('finds by error text, taking what the searcher wrote as it stands, for whoever may read errors', async () => {
    const { id } = await submitted(0);
    await jobs.claim(id, 'w');
    const end: JobRunEnd = { kind: 'ended', end: { error: { code: -32603, message: 'Disk 100% FULL' } } };
    await jobs.finish({ id, node: 'w', attempt: 1 }, end, KEPT_MS);
    await submitted(0);
    const found = async (q: string, payloads = true) =>
      (await queries.list(tenants[0] as string, { q, payloads }, 10, undefined)).map((one) => one.id);
    expect(await found('100% full')).toEqual([id]);
    expect(await found('%')).toEqual([id]);
    expect(await found('1_0')).toEqual([]);
    expect(await found('100% full', false)).toEqual([]);
  });

  it('says the place of those that wait', async () => {
    await submitted(0);
    await submitted(0);
    const [newest, oldest] = await queries.list(tenants[0] as string, {}, 10, undefined);
    expect([newest?.place, oldest?.place]).toEqual([2, 1]);
  });
});
