import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { seenAborted } from '../wire/backend.js';
import { textOf } from '../wire/clients.js';
import type { Message } from '../wire/exchange.js';
import { useNodes } from './world.js';

const LONG = process.env.GANTRY_TEST_LONG === '1';
/** In the long form a worker stands still for this long; in the short one until the others have noticed. */
const STOPPED_MS = 40_000;
/** A lease of ten seconds, and the look that finds it lapsed. */
const NOTICED_MS = 20_000;

const world = useNodes({ nodes: 2, workers: 2 });
const responses = (messages: readonly Message[]) => messages.filter(({ method }) => method === undefined);

/** Calls a tool that waits for the backend, and stops the worker that runs it. */
async function stopped(tool: string, at: string) {
  const session = await world.open(0, { server: 'jobs' });
  const answer = await session.call(tool, { at }, { meta: { progressToken: 1 } });
  const held = await world.backend.arrived(`/held/${at}`);
  const [{ id, node }] = (await world.cluster.admin('GET', `/tenants/acme/jobs?tool=${tool}&status=running`)).body
    .items;
  const { url } = (await world.cluster.admin('GET', '/nodes?limit=100')).body.items.find(
    (one: { id: string }) => one.id === node,
  );
  const worker = world.cluster.workers.find((one) => one.url === url);
  if (worker === undefined) throw new Error(`no worker has the url ${url}`);
  worker.pause();
  const since = performance.now();
  const resume = async () => {
    if (LONG) await delay(Math.max(0, STOPPED_MS - (performance.now() - since)));
    worker.resume();
    // What ran there is given up, since it is no longer its own.
    await seenAborted(held, NOTICED_MS);
  };
  const job = async () => (await world.cluster.admin('GET', `/tenants/acme/jobs/${id}`)).body;
  return { answer, resume, job };
}

describe('a worker that stood still and goes on', () => {
  it('finds that its job of an effect was given up, and changes nothing (JOB-01)', async () => {
    const { answer, resume, job } = await stopped('charge', 'frozen');
    await answer.ended(NOTICED_MS);
    await resume();
    expect(responses(answer.messages)).toMatchObject([{ result: { isError: true } }]);
    expect(textOf(responses(answer.messages)[0] as Message)).toMatch(/^Outcome unknown/);
    expect(world.backend.count('/charge/frozen')).toBe(0);
    expect(await job()).toMatchObject({ status: 'unknown', attempts: 1 });
  }, 120_000);

  it('finds that its repeatable job was done by another, whose answer stands (JOB-01)', async () => {
    const { answer, resume, job } = await stopped('held', 'thawed');
    await expect.poll(() => world.backend.count('/held/thawed'), { timeout: NOTICED_MS }).toBe(2);
    const again = world.backend.seen.all.filter(({ target }) => target === '/held/thawed').at(-1);
    again?.answer('go');
    await answer.ended(NOTICED_MS);
    await resume();
    expect(responses(answer.messages)).toHaveLength(1);
    expect(textOf(responses(answer.messages)[0] as Message)).toBe('let go');
    const { status, attemptList } = await job();
    expect(status).toBe('completed');
    expect(attemptList.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['completed', 'lost']);
  }, 120_000);
});
