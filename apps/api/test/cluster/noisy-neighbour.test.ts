import { beforeAll, describe, expect, it } from 'vitest';
import { ModernClient, textOf } from '../wire/clients.js';
import { code } from '../wire/documents.js';
import { jobKinds } from '../wire/job-documents.js';
import { useNodes } from './world.js';

const LONG = process.env.GANTRY_TEST_LONG === '1';
const QUEUED = LONG ? 5_000 : 500;
const ROUNDS = LONG ? 4 : 2;
const SAMPLES = LONG ? 150 : 40;
/** Of a p99 beside the same without the neighbour; the short form allows for machines that do other things as well. */
const LIMIT = LONG ? 1.5 : 3;
const CAP = 4;
const DRAIN_MS = 240_000;
const world = useNodes({ nodes: 2, workers: 1, env: { LIMIT_JOB_SLOTS: '8', LIMIT_QUEUED_JOBS: '10000' } });
const TASKS = {
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

type Kind = 'job' | 'inline';
type Latencies = Record<Kind, number[]>;

describe('a tenant beside one with thousands of jobs', () => {
  let calm: ModernClient;

  beforeAll(async () => {
    await world.cluster.tenant('calm');
    await world.cluster.server('calm', 'jobs', jobKinds(world.backend.url));
    calm = new ModernClient(world.cluster.node(0).mcpUrl('calm', 'jobs'), (await world.cluster.key('calm')).key);
    const brief = code('brief', 'await ctx.sleep(50); return "brief";', { execution: 'job' });
    await world.cluster.server('acme', 'brief', { name: 'Brief', tools: [brief] });
    const { status, body } = await world.cluster.admin('PATCH', '/tenants/acme', { limits: { concurrentJobs: CAP } });
    expect([status, body.limits]).toMatchObject([200, { concurrentJobs: CAP }]);
  });

  async function timed(tool: string, text: string): Promise<number> {
    const begun = performance.now();
    const answer = await calm.call(tool);
    expect(textOf(await answer.result())).toBe(text);
    return performance.now() - begun;
  }

  async function measure(into: Latencies): Promise<void> {
    for (let at = 0; at < SAMPLES; at += 1) {
      into.job.push(await timed('at_once', 'done'));
      into.inline.push(await timed('inline', 'inline'));
    }
  }

  const queue = async () => (await world.cluster.admin('GET', '/tenants/acme/job-queue')).body;

  /** Queues tasks at both nodes, a few requests at a time. */
  async function flood(): Promise<void> {
    let left = QUEUED;
    const sender = async (at: number) => {
      const client = new ModernClient(world.at(at % 2, 'brief'), world.key);
      while (left-- > 0) {
        const { result } = await (await client.call('brief', {}, { meta: TASKS })).result();
        expect(result).toMatchObject({ resultType: 'task', status: 'working' });
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, at) => sender(at)));
  }

  async function drained(): Promise<void> {
    const left = async () => (({ queued, running }) => queued + running)(await queue());
    await expect.poll(left, { timeout: DRAIN_MS, interval: 250 }).toBe(0);
  }

  it('is served as fast as without it', async () => {
    await measure({ job: [], inline: [] });
    const alone: Latencies = { job: [], inline: [] };
    const beside: Latencies = { job: [], inline: [] };
    // By turns, so that whatever else the machine does weighs on both.
    for (let round = 0; round < ROUNDS; round += 1) {
      await measure(alone);
      const t0 = performance.now();
      await flood();
      console.log('flood', performance.now() - t0, JSON.stringify(await queue()));
      await measure(beside);
      console.log('after', JSON.stringify(await queue()), performance.now() - t0);
      expect((await queue()).queued, 'the neighbour still waits').toBeGreaterThan(0);
      await drained();
      console.log('drained', performance.now() - t0);
    }
    for (const kind of ['job', 'inline'] as const) {
      const [quiet, loud] = [percentiles(alone[kind]), percentiles(beside[kind])];
      const words = `${kind}: p50 ${quiet.p50} → ${loud.p50} ms, p99 ${quiet.p99} → ${loud.p99} ms`;
      console.log(words);
      expect.soft(loud.p99 / quiet.p99, words).toBeLessThan(LIMIT);
    }
  }, 1_200_000);
});

function percentiles(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1));
  return { p50: at(0.5), p99: at(0.99) };
}
