import { beforeAll, describe, expect, it } from 'vitest';
import { ModernClient, textOf } from '../wire/clients.js';
import { code } from '../wire/documents.js';
import { jobKinds } from '../wire/job-documents.js';
import { useNodes } from './world.js';

/** A measurement needs the machine for itself: `npm run verify` makes it. Beside other tests only the order counts. */
const MEASURED = process.env.GANTRY_MEASURED === '1';
const QUEUED = MEASURED ? 5_000 : 400;
const SAMPLES = MEASURED ? 300 : 20;
/** Of a p99 beside the same without the neighbour. */
const LIMIT = 1.5;
const CAP = 8;
const world = useNodes({
  nodes: 2,
  workers: 2,
  env: { LIMIT_CONCURRENT_JOBS: String(CAP), LIMIT_JOB_SLOTS: '8', LIMIT_QUEUED_JOBS: '10000' },
});
const TASKS = {
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

interface Latencies {
  readonly job: number[];
  readonly inline: number[];
}

describe('a tenant beside one with thousands of jobs', () => {
  let quiet: ModernClient;

  beforeAll(async () => {
    await world.cluster.tenant('quiet');
    await world.cluster.server('quiet', 'jobs', jobKinds(world.backend.url));
    quiet = new ModernClient(world.cluster.node(0).mcpUrl('quiet', 'jobs'), (await world.cluster.key('quiet')).key);
    const slow = code('slow', 'await ctx.sleep(2000); return "slow";', { execution: 'job' });
    await world.cluster.server('acme', 'slow', { name: 'Slow', tools: [slow] });
  });

  async function timed(tool: string, text: string): Promise<number> {
    const begun = performance.now();
    const answer = await quiet.call(tool);
    expect(textOf(await answer.result())).toBe(text);
    return performance.now() - begun;
  }

  async function measure(): Promise<Latencies> {
    const all: Latencies = { job: [], inline: [] };
    for (let at = 0; at < SAMPLES; at += 1) {
      all.job.push(await timed('at_once', 'done'));
      all.inline.push(await timed('inline', 'inline'));
    }
    return all;
  }

  /** Queues tasks at both nodes, a few requests at a time. */
  async function flood(): Promise<void> {
    let left = QUEUED;
    const sender = async (at: number) => {
      const client = new ModernClient(world.at(at % 2, 'slow'), world.key);
      while (left-- > 0) {
        const { result } = await (await client.call('slow', {}, { meta: TASKS })).result();
        expect(result).toMatchObject({ resultType: 'task', status: 'working' });
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, at) => sender(at)));
  }

  it('is served before what that one has waiting, as fast as without it', async () => {
    await measure();
    const before = await measure();
    await flood();
    const queue = async () => (await world.cluster.admin('GET', '/tenants/acme/job-queue')).body;
    await expect.poll(async () => (await queue()).running, { timeout: 10_000 }).toBe(CAP);
    expect((await queue()).queued).toBeGreaterThan(QUEUED / 2);
    const beside = await measure();
    expect((await queue()).queued).toBeGreaterThan(QUEUED / 2);
    for (const kind of ['job', 'inline'] as const) {
      const [alone, loud] = [percentiles(before[kind]), percentiles(beside[kind])];
      const words = `${kind}: p50 ${alone.p50} → ${loud.p50} ms, p99 ${alone.p99} → ${loud.p99} ms`;
      console.log(words);
      if (MEASURED) expect(loud.p99 / alone.p99, words).toBeLessThan(LIMIT);
    }
  }, 300_000);
});

function percentiles(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1));
  return { p50: at(0.5), p99: at(0.99) };
}
