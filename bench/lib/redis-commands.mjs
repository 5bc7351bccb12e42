// What a session costs Redis, counted by Redis itself.
import { Redis } from 'ioredis';
import { startTemporaryRedis } from '../../scripts/lib/redis.mjs';
import { startGantryNodes } from './gantry.mjs';
import { ask, openSession } from './session.mjs';

const TIMES = 200;
const EVENTS = 500;
const IDLE_MS = 10_000;

/** What connections say to keep themselves, and the count itself. */
const OF_CONNECTIONS = new Set(['info', 'ping', 'client', 'hello', 'select', 'subscribe', 'auth', 'monitor']);

/** @returns `{text, ok}` */
export async function countCommands() {
  const redis = await startTemporaryRedis();
  const gantry = await startGantryNodes({ redisUrl: redis.url });
  const counter = await countFrom(redis.url);
  try {
    const [node] = gantry.nodes;
    const idle =
      (await counter.during(() => new Promise((resolve) => setTimeout(resolve, IDLE_MS)))) / (IDLE_MS / 1_000);
    // What the node does by itself goes on meanwhile and is taken off.
    const of = async (work) => {
      const started = Date.now();
      const commands = await counter.during(work);
      return commands - (idle * (Date.now() - started)) / 1_000;
    };
    const initialize = (await of(() => repeat(() => openSession(node)))) / TIMES;
    const session = await openSession(node);
    const call = await of(() =>
      repeat((at) => ask(node, session, at, 'tools/call', { name: 'echo', arguments: { msg: 'x' } })),
    );
    const events = await of(() =>
      ask(node, session, 'p', 'tools/call', {
        name: 'progress',
        arguments: { n: EVENTS, everyMs: 1 },
        _meta: { progressToken: 1 },
      }),
    );
    return verdict([
      ['a session call', call / TIMES, 2.05],
      ['an event', events / EVENTS, 1.02],
      ['initialize', initialize, 2.05],
      ['an idle node, a second', idle, 1.05],
    ]);
  } finally {
    counter.stop();
    await gantry.stop();
    await redis.stop();
  }
}

async function repeat(work) {
  for (let at = 0; at < TIMES; at += 1) await work(at);
}

/** Counts what clients send: a script is one command, whatever it does inside. */
async function countFrom(url) {
  const watching = new Redis(url);
  const probe = new Redis(url);
  const monitor = await watching.monitor();
  let commands = 0;
  let heard = () => {};
  monitor.on('monitor', (_time, [name, word], source) => {
    if (word === 'count-probe') return heard();
    if (source !== 'lua' && !OF_CONNECTIONS.has(name.toLowerCase())) commands += 1;
  });
  // What was sent before has been counted when this is seen.
  const settled = () =>
    new Promise((resolve) => {
      heard = resolve;
      void probe.echo('count-probe');
    });
  return {
    async during(work) {
      await settled();
      const before = commands;
      await work();
      await settled();
      return commands - before;
    },
    stop() {
      for (const client of [monitor, watching, probe]) client.disconnect();
    },
  };
}

function verdict(rows) {
  const lines = rows.map(
    ([label, commands, limit]) =>
      `| Redis commands for ${label} | ${commands.toFixed(2)} | ≤ ${limit} ${commands <= limit ? '✓' : '✗'} |`,
  );
  return {
    text: ['| what | commands | goal |', '|---|---|---|', ...lines].join('\n'),
    ok: rows.every(([, commands, limit]) => commands <= limit),
  };
}
