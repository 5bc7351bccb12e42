import { describe, expect, it } from 'vitest';
import { seenAborted } from '../wire/backend.js';
import { ModernClient, textOf } from '../wire/clients.js';
import type { Message } from '../wire/exchange.js';
import { useNodes } from './world.js';

const world = useNodes({ workers: 2, env: { SHUTDOWN_GRACE_MS: '1000' } });
const [A, B, C] = [0, 1, 2];
/** A lease of ten seconds, and the look that finds it lapsed. */
const UNKNOWN_MS = 20_000;
const LONG_MS = 60_000;

const open = (node: number, more = {}) => world.open(node, { server: 'jobs', ...more });
const modern = (node: number) => new ModernClient(world.at(node, 'jobs'), world.key);
const progressOf = (messages: readonly Message[]) =>
  messages.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params);
const response = (messages: readonly Message[]) => messages.filter(({ method }) => method === undefined);
const jobs = async (query = '') =>
  (await world.cluster.admin('GET', `/tenants/acme/jobs?limit=100${query}`)).body.items;

/** The worker that runs the newest job of a tool. */
async function workerOf(tool: string) {
  const [{ node }] = await jobs(`&tool=${tool}&status=running`);
  const listed = (await world.cluster.admin('GET', '/nodes?limit=100')).body.items;
  const { url } = listed.find(({ id }: { id: string }) => id === node);
  const found = world.cluster.workers.find((worker) => worker.url === url);
  if (found === undefined) throw new Error(`no worker has the url ${url}`);
  return found;
}

describe('a job that a worker runs', () => {
  it.each([
    ['a number that is zero', 0],
    ['the same as text', '0'],
    ['a number', 7],
  ])('says its progress on its own call and nowhere else, under %s (PRG-01, PRG-02)', async (_, progressToken) => {
    const session = await open(A);
    const standing = await session.at(world.at(B, 'jobs')).get();
    const answer = await session.at(world.at(C, 'jobs')).call('ticks', {}, { meta: { progressToken } });
    await answer.ended();
    expect(progressOf(answer.messages)).toEqual(
      [1, 2, 3, 4, 5].map((progress) => ({ progressToken, progress, total: 5 })),
    );
    expect(textOf(response(answer.messages)[0])).toBe('ticked');
    expect(standing.messages).toEqual([]);
    standing.destroy();
  });

  it('says no progress where no token was sent (PRG-03)', async () => {
    const session = await open(A);
    const answer = await session.call('ticks');
    await answer.ended();
    expect([progressOf(answer.messages), textOf(response(answer.messages)[0])]).toEqual([[], 'ticked']);
  });

  it('goes on without the node of its caller, and is resumed on another one (CAN-02, RES-04)', async () => {
    const session = await open(A);
    const answer = await session.call('held', { at: 'resumed' }, { meta: { progressToken: 1 } });
    const held = await world.backend.arrived('/held/resumed');
    await answer.notified('notifications/progress');
    const last = answer.frames.all.at(-1)?.id;
    await world.cluster.node(A).kill();
    held.answer('go');
    const resumed = await session.at(world.at(B, 'jobs')).get(last);
    await resumed.ended();
    expect(progressOf(resumed.messages).map(({ progress }) => progress)).toEqual([2]);
    expect(textOf(response(resumed.messages)[0])).toBe('let go');
  });

  it('is cancelled through another node within a second, where it works (CAN-01)', async () => {
    const session = await open(A);
    const sent = session.start('held', { at: 'cancelled' }, { id: 'stop-me' });
    const held = await world.backend.arrived('/held/cancelled');
    const params = { requestId: 'stop-me' };
    await session.at(world.at(B, 'jobs')).post({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    await seenAborted(held, 1_000);
    const answer = await sent.answer;
    await answer.ended();
    expect(response(answer.messages)).toEqual([]);
    await expect.poll(async () => (await jobs('&tool=held'))[0].status, { timeout: 2_000 }).toBe('cancelled');
  });

  it('is given up with the connection of a stateless caller (CAN-03)', async () => {
    const sent = modern(A).start('held', { at: 'left' });
    const held = await world.backend.arrived('/held/left');
    sent.destroy();
    await seenAborted(held, 2_000);
    await expect.poll(async () => (await jobs('&tool=held'))[0].status, { timeout: 2_000 }).toBe('cancelled');
  });

  it('asks on its stream, holds no slot, and goes on with an answer to any node', async () => {
    const session = await open(A, { capabilities: { elicitation: {} } });
    const answer = await session.call('ask');
    const { message } = await answer.notified('elicitation/create');
    expect((await jobs('&tool=ask'))[0]).toMatchObject({ status: 'input_required' });
    const result = { action: 'accept', content: { name: 'Ada' } };
    await session.at(world.at(C, 'jobs')).post({ jsonrpc: '2.0', id: message.id, result });
    await answer.ended();
    expect(textOf(response(answer.messages)[0])).toBe('Hello Ada');
  });

  it('runs once for a call that is sent again with its key, also when the first node has died', async () => {
    const meta = { 'dev.gantry/idempotencyKey': 'order-1' };
    modern(A)
      .start('charge', { at: 'keyed' }, { meta })
      .answer.catch(() => undefined);
    const held = await world.backend.arrived('/held/keyed');
    await world.cluster.node(A).kill();
    const again = modern(B).call('charge', { at: 'keyed' }, { meta });
    held.answer('go');
    const answer = await again;
    expect(textOf(await answer.result())).toBe('charged');
    expect([world.backend.count('/held/keyed'), world.backend.count('/charge/keyed')]).toEqual([1, 1]);
    const other = await modern(C).call('charge', { at: 'other' }, { meta });
    expect((await other.result()).error.code).toBe(-32602);
  });
});

describe('a worker that is gone', () => {
  it(
    'leaves a job that may not be repeated unknown, and one effect at most (JOB-06)',
    async () => {
      const session = await open(A);
      const answer = await session.call('charge', { at: 'unknown' }, { meta: { progressToken: 1 } });
      await world.backend.arrived('/held/unknown');
      await (await workerOf('charge')).kill();
      await answer.ended(UNKNOWN_MS);
      const [{ result }] = response(answer.messages);
      expect([result.isError, result.content[0].text]).toEqual([true, expect.stringMatching(/^Outcome unknown/)]);
      expect((await jobs('&tool=charge'))[0]).toMatchObject({ status: 'unknown', attempts: 1 });
      expect([world.backend.count('/held/unknown'), world.backend.count('/charge/unknown')]).toEqual([1, 0]);
    },
    LONG_MS,
  );

  it(
    'has its job run again that may be repeated, and progress does not go back (JOB-06)',
    async () => {
      const session = await open(A);
      const answer = await session.call('held', { at: 'again' }, { meta: { progressToken: 1 } });
      await world.backend.arrived('/held/again');
      await (await workerOf('held')).kill();
      await expect.poll(() => world.backend.count('/held/again'), { timeout: UNKNOWN_MS }).toBe(2);
      world.backend.seen.all
        .filter(({ target }) => target === '/held/again')
        .at(-1)
        ?.answer('go');
      await answer.ended(UNKNOWN_MS);
      expect(progressOf(answer.messages).map(({ progress }) => progress)).toEqual([1, 2]);
      expect(textOf(response(answer.messages)[0])).toBe('let go');
    },
    LONG_MS,
  );

  it(
    'hands back what may be repeated when it is told to stop',
    async () => {
      const session = await open(A);
      const answer = await session.call('held', { at: 'handed' }, { meta: { progressToken: 1 } });
      await world.backend.arrived('/held/handed');
      const worker = await workerOf('held');
      const stopped = worker.stop();
      await expect.poll(() => world.backend.count('/held/handed'), { timeout: 10_000 }).toBe(2);
      world.backend.seen.all
        .filter(({ target }) => target === '/held/handed')
        .at(-1)
        ?.answer('go');
      await answer.ended(10_000);
      await stopped;
      expect(textOf(response(answer.messages)[0])).toBe('let go');
      const [{ id }] = await jobs('&tool=held');
      const { body } = await world.cluster.admin('GET', `/tenants/acme/jobs/${id}`);
      expect(body.attemptList.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['completed', 'handed_back']);
    },
    LONG_MS,
  );
});

describe('the queue', () => {
  it(
    'loses no answer of jobs that end at once (JOB-02)',
    async () => {
      const calls = Array.from({ length: 200 }, (_, at) => modern(at % 3).call('at_once'));
      const answers = await Promise.all(calls);
      const texts = await Promise.all(answers.map(async (answer) => textOf(await answer.result())));
      expect(texts).toEqual(Array.from({ length: 200 }, () => 'done'));
    },
    LONG_MS,
  );

  it(
    'loses nothing when the connections of subscribers are cut (JOB-04)',
    async () => {
      const calls = Array.from({ length: 50 }, (_, at) => modern(at % 3).call('ticks', { ms: 20 }));
      await world.cluster.redis.command(['CLIENT', 'KILL', 'TYPE', 'pubsub']);
      const texts = await Promise.all((await Promise.all(calls)).map(async (answer) => textOf(await answer.result())));
      expect(texts).toEqual(Array.from({ length: 50 }, () => 'ticked'));
    },
    LONG_MS,
  );

  it(
    'says how many workers there are, and that there are none only when it is true',
    async () => {
      const queue = async () => (await world.cluster.admin('GET', '/tenants/acme/job-queue')).body;
      expect((await queue()).workers).toBe(2);
      await Promise.all(world.cluster.workers.map((worker) => worker.stop()));
      expect(await queue()).toMatchObject({ workers: 0, slots: 0 });
    },
    LONG_MS,
  );
});
