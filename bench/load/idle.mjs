import { config, cpuSeconds, rssKiB } from './config.mjs';
import { Conn } from './connection.mjs';
import { percentile, sleep } from './measure.mjs';
import { call, openSession, send, template } from './requests.mjs';

/** How many sessions are opened at a time. */
const OPENERS = 32;
const SETTLE_MS = 4_000;
const ROUNDS = 5;
const ROUND_MS = 10_000;

/** Sessions, each with an open stream: what each takes; then all are told of a change, some times. */
export async function idle() {
  const { sessions } = config;
  const told = new Told();
  const [rssBefore, cpuBefore, before] = [rssKiB(), cpuSeconds(), performance.now()];
  const streams = await openAll(sessions, told);
  const openSecs = (performance.now() - before) / 1_000;
  const openCpu = cpuSeconds() - cpuBefore;
  await sleep(SETTLE_MS);
  const kibPerSession = (rssKiB() - rssBefore) / sessions;
  const tell = await speaker();
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await told.round(sessions, tell));
  const median = (value) => rounds.map(value).sort((a, b) => a - b)[Math.floor(rounds.length / 2)];
  const result = {
    sessions: streams.length,
    openPerSec: sessions / openSecs,
    openCpuPer1k: (openCpu * 1_000) / sessions,
    kibPerSession,
    broadcast: {
      got: median(({ got }) => got),
      ms: median(({ ms }) => ms),
      p50: median(({ p50 }) => p50),
      p99: median(({ p99 }) => p99),
      cpu_per_1k: (median(({ cpu }) => cpu) * 1_000) / sessions,
    },
    dead: streams.filter(({ dead }) => dead).length,
  };
  for (const { sock } of streams) sock.destroy();
  return result;
}

/** When notifications came, in the round that is under way. */
class Told {
  times = [];
  base = 0;
  whole = undefined;
  expected = Infinity;

  hear() {
    this.times.push(performance.now() - this.base);
    if (this.times.length >= this.expected) this.whole?.();
  }

  /** Has everybody told once. */
  async round(expected, tell) {
    this.times = [];
    this.expected = expected;
    const all = new Promise((resolve) => {
      this.whole = resolve;
    });
    const cpuBefore = cpuSeconds();
    this.base = performance.now();
    await tell();
    await Promise.race([all, sleep(ROUND_MS)]);
    const ms = performance.now() - this.base;
    await sleep(100);
    const times = [...this.times].sort((a, b) => a - b);
    const [p50, p99] = [percentile(times, 50), percentile(times, 99)];
    return { got: times.length, ms, p50, p99, cpu: cpuSeconds() - cpuBefore };
  }
}

async function openAll(sessions, told) {
  const posts = await Promise.all(Array.from({ length: OPENERS }, () => new Conn().open()));
  const streams = [];
  let begun = 0;
  await Promise.all(
    posts.map(async (post) => {
      while (begun < sessions) {
        begun++;
        streams.push(await openStream(await openSession(post), told));
      }
    }),
  );
  for (const { sock } of posts) sock.destroy();
  return streams;
}

async function openStream(session, told) {
  const stream = await new Conn().open();
  await new Promise((resolve, reject) => {
    stream.onhead = (status) => (status === 200 ? resolve() : reject(new Error(`stream: ${status}`)));
    stream.onpiece = (piece) => {
      if (piece.includes('notifications/')) told.hear();
    };
    stream.cb = (status, why) => reject(new Error(`stream ended: ${status} ${why}`));
    stream.sock.write(template(session, '', undefined, { verb: 'GET' })(), 'latin1');
  });
  stream.cb = null;
  return stream;
}

/** What has everybody told: a request to the server's own side, or else its tool `broadcast`. */
async function speaker() {
  const { broadcastBy } = config;
  // Not waited for: the answer may come after the last event.
  if (broadcastBy) return () => void fetch(broadcastBy.url, broadcastBy.init);
  const conn = await new Conn().open();
  const request = call(await openSession(conn), 'broadcast', {});
  return () => send(conn, request);
}
