import { describe, expect, it } from 'vitest';
import { within } from '../wire/deadline.js';
import { ResumingReader } from './resuming-reader.js';
import { useNodes } from './world.js';

const world = useNodes({ redis: { appendOnly: true } });
const [A, B, C] = [0, 1, 2];

const LONG = process.env.GANTRY_TEST_LONG === '1';
const pauses = LONG ? [3_000, 20_000] : [3_000];
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Says 1, 2, 3 … until told to stop; `taken` are those that were accepted. */
function chatter(from: number) {
  let on = true;
  const taken: number[] = [];
  const refused: number[] = [];
  const talking = (async () => {
    for (let n = from; on; n += 1) {
      await world.say(n).then(
        () => taken.push(n),
        () => refused.push(n),
      );
    }
  })();
  return {
    taken,
    refused,
    async stop() {
      on = false;
      await talking;
    },
  };
}

/** Whether a node says that it has Redis. */
async function seesRedis(node: number): Promise<boolean> {
  const response = await fetch(`${world.cluster.node(node).url}/readyz`);
  const { dependencies } = (await response.json()) as { dependencies: Record<string, { ok: boolean }> };
  return dependencies.redis?.ok ?? false;
}

describe('a Redis that keeps what it wrote', () => {
  it('is killed and comes back while streams are open: nothing accepted is lost or doubled', async () => {
    const sessions = await Promise.all([A, B, C].map((node) => world.open(node)));
    const readers = await Promise.all(
      sessions.map(async (session) => new ResumingReader(session.at(world.anywhere()), await session.get())),
    );
    const talk = chatter(1);
    await readers[0]?.count(10);
    await world.cluster.redis.kill();
    // Whoever speaks meanwhile waits or is refused; either way the outage is noticed.
    await expect.poll(() => seesRedis(A), { timeout: 10_000 }).toBe(false);
    await world.cluster.redis.start();
    const before = talk.taken.length;
    await expect.poll(() => talk.taken.length, { timeout: 20_000 }).toBeGreaterThan(before + 20);
    await talk.stop();
    for (const reader of readers) {
      await reader.first(
        `the last thing said, ${talk.taken.at(-1)}`,
        ({ params }) => params?.data === talk.taken.at(-1),
        20_000,
      );
      const heard = reader.messages.all.map(({ params }) => params.data);
      // What was refused may have been written or not, but not twice.
      expect(heard.filter((n) => !talk.refused.includes(n))).toEqual(talk.taken);
      expect(new Set(heard).size).toBe(heard.length);
      await reader.stop();
    }
  });

  it('answers session traffic 503 while it is away, never 404, and the same session goes on afterwards', async () => {
    const session = await world.open(A);
    await world.cluster.redis.kill();
    const statuses = new Set<number>();
    for (const node of [A, B, C, A, B, C]) {
      const answer = await session.at(world.at(node)).ask('tools/list');
      statuses.add(answer.status);
      if (answer.status === 503) expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    }
    expect([...statuses]).toEqual([503]);
    const told = await world.cluster.admin('POST', '/tenants/acme/servers/kinds/notify', { listChanged: ['tools'] });
    expect([told.status, told.body.code, told.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    await world.cluster.redis.start();
    for (const node of [A, B, C]) {
      const status = async () => (await session.at(world.at(node)).ask('tools/list')).status;
      await expect.poll(status, { timeout: 10_000 }).toBe(200);
    }
  });
});

describe.each(pauses)('a node that stands still for %i ms', (ms) => {
  it('loses and doubles nothing of a stream that went elsewhere meanwhile', async () => {
    const session = await world.open(A);
    const first = await session.get();
    const reader = new ResumingReader(session.at(world.anywhere()), first);
    await world.say(1);
    await reader.count(1);
    world.cluster.node(A).pause();
    const still = sleep(ms);
    await world.say(2);
    reader.drop();
    await reader.count(2);
    await world.say(3);
    await still;
    world.cluster.node(A).resume();
    await world.say(4);
    const said = (await reader.count(4, 20_000)).map(({ params }) => params.data);
    expect(said).toEqual([1, 2, 3, 4]);
    await reader.stop();
  });

  it('delivers what its own streams missed, when nobody took them', async () => {
    const session = await world.open(A);
    const reader = new ResumingReader(session.at(world.anywhere()), await session.get());
    await world.say('before');
    await reader.count(1);
    world.cluster.node(A).pause();
    const still = sleep(ms);
    for (const n of [1, 2, 3]) await world.say(n);
    await still;
    world.cluster.node(A).resume();
    const said = (await reader.count(4, 20_000)).map(({ params }) => params.data);
    expect(said).toEqual(['before', 1, 2, 3]);
    await reader.stop();
  });

  it('has its running call answered once', async () => {
    const session = await world.open(B);
    const at = `paused-${ms}`;
    const first = await session.at(world.at(A)).call('slow_charge', { at }, { id: at, meta: { progressToken: 1 } });
    await first.notified('notifications/progress');
    const reader = new ResumingReader(session.at(world.anywhere()), first);
    const held = await world.backend.arrived(`/held/${at}`);
    world.cluster.node(A).pause();
    const still = sleep(ms);
    reader.drop();
    held.answer('go');
    await still;
    world.cluster.node(A).resume();
    await within('an answer to the call', reader.done, 30_000);
    const answers = reader.messages.all.filter(({ method }) => method === undefined);
    expect(answers).toHaveLength(1);
    if (ms < 10_000) expect(answers[0].result.content[0].text).toBe('charged');
    else expect(answers[0].error.message).toMatch(/outcome (is )?unknown/i);
  });
});
