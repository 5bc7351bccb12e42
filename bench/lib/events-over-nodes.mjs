// An event raised on one node, read from a stream that another holds, beside the least it can cost: a script that logs and
// rings, and a raw write.
import { fileURLToPath } from 'node:url';
import { freePort } from '../../scripts/lib/processes.mjs';
import { startTemporaryRedis } from '../../scripts/lib/redis.mjs';
import { startGantryNodes } from './gantry.mjs';
import { startPinned } from './pinned.mjs';
import { percentile, readEvents } from './read-events.mjs';
import { quartiles } from './report.mjs';
import { beginAndLeave, openSession } from './session.mjs';

const LIMITS = { p50: 1.5, p99: 2 };
const EVENTS = 1_000;
const FLOOD = 20_000;
/** Between two events of the measurement of latency: one at a time is under way. */
const EVERY_MS = 1;
/** For whoever reads to come, before the first event. */
const DELAY_MS = 300;

/** @returns `{text, ok}` */
export async function measureEvents(rounds) {
  const redis = await startTemporaryRedis();
  const stops = [() => redis.stop()];
  try {
    const floor = await startFloorPair(redis.url);
    stops.unshift(floor.stop);
    const gantry = await startGantryNodes({ count: 2, redisUrl: redis.url });
    stops.unshift(gantry.stop);
    const rows = [];
    for (let round = 0; round <= rounds; round += 1) {
      const pair = { floor: await fromFloor(floor), gantry: await fromGantry(gantry.nodes, EVENTS, EVERY_MS) };
      // The first round only warms code and caches.
      if (round > 0) rows.push(pair);
    }
    return verdict(rows, await flood(gantry.nodes));
  } finally {
    for (const stop of stops) await stop();
  }
}

async function startFloorPair(redisUrl) {
  const start = async (name) => {
    const port = await freePort();
    const script = fileURLToPath(new URL(`../floor/${name}.mjs`, import.meta.url));
    const server = await startPinned(name, [script, JSON.stringify({ port, redisUrl })], { port, env: {} });
    return { ...server, url: `http://127.0.0.1:${port}/` };
  };
  const publisher = await start('ring-publisher');
  const subscriber = await start('ring-subscriber');
  const stop = async () => void (await Promise.all([publisher.stop(), subscriber.stop()]));
  return { publisher, subscriber, stop };
}

function fromFloor({ publisher, subscriber }) {
  const asked = encodeURIComponent(JSON.stringify({ n: EVENTS, everyMs: EVERY_MS }));
  const opened = () => setTimeout(() => void fetch(`${publisher.url}?${asked}`.replace('/?', '/?')), DELAY_MS);
  return readEvents({ url: subscriber.url, headers: {}, count: EVENTS, deadlineMs: 30_000, opened });
}

/** The call runs on one node, its stream is taken up on the other. */
async function fromGantry([one, other], n, everyMs) {
  const session = await openSession(one);
  const { 'content-type': _type, ...headers } = session;
  const first = await beginAndLeave(one, session, { n, everyMs, delayMs: DELAY_MS });
  return readEvents({
    url: other.url,
    headers: { ...headers, accept: 'text/event-stream', 'last-event-id': first },
    count: n,
    deadlineMs: 60_000,
  });
}

/** As fast as one call can make them. */
async function flood(nodes) {
  const started = process.hrtime.bigint();
  const { micros, faults } = await fromGantry(nodes, FLOOD, 0);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9 - DELAY_MS / 1_000;
  return { perSecond: micros.length / seconds, faults };
}

function verdict(rows, { perSecond, faults }) {
  const of = (name, share) => quartiles(rows.map((row) => percentile(row[name].micros, share)));
  const ratio = (share) =>
    quartiles(rows.map((row) => percentile(row.gantry.micros, share) / percentile(row.floor.micros, share)));
  const lost = rows.reduce((sum, row) => sum + row.gantry.faults, faults);
  const line = (label, share, limit) => {
    const [ours, bare, times] = [of('gantry', share), of('floor', share), ratio(share)];
    const mark = times.median <= limit ? '✓' : '✗';
    return `| event from one node to a stream of another, ${label} | ${bare.median.toFixed(0)} µs | ${ours.median.toFixed(0)} µs | ${times.median.toFixed(2)} (${times.q1.toFixed(2)}–${times.q3.toFixed(2)}) | ≤ ${limit} ${mark} |`;
  };
  const text = [
    '| what | script + raw write | gantry | × | goal |',
    '|---|---|---|---|---|',
    line('p50', 0.5, LIMITS.p50),
    line('p99', 0.99, LIMITS.p99),
    `| events a second of one call, over two nodes | | ${perSecond.toFixed(0)} | | ≥ 5000 ${perSecond >= 5_000 ? '✓' : '✗'} |`,
    `| lost, doubled or out of order | | ${lost} | | 0 ${lost === 0 ? '✓' : '✗'} |`,
  ].join('\n');
  const good = ratio(0.5).median <= LIMITS.p50 && ratio(0.99).median <= LIMITS.p99 && lost === 0 && perSecond >= 5_000;
  return { text, ok: good };
}
