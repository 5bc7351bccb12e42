// From a call of a tool that runs as a job to its first progress at the caller, beside the least it can cost: one row, BullMQ,
// and a word to whoever holds the caller. On both backends: two processes with Redis, one process on Postgres alone.
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { freePort } from '../../scripts/lib/processes.mjs';
import { startTemporaryRedis } from '../../scripts/lib/redis.mjs';
import { startGantryNodes } from './gantry.mjs';
import { startPinned } from './pinned.mjs';
import { percentile } from './read-events.mjs';
import { quartiles } from './report.mjs';

const LIMIT = 1.5;
const JOBS = 200;
/** Before what is measured: a server that has run for a while is what people have. */
const WARM = 1_000;
const DEADLINE_MS = 10_000;
const FLOOR = fileURLToPath(new URL('../floor/job-queue.mjs', import.meta.url));
const REVISION = '2026-07-28';
export const TOOL = {
  // What it does is replaced, see native-progress.
  name: 'progress',
  description: 'Report progress n times.',
  inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  template: { text: 'done' },
  execution: 'job',
};

/** @returns `{text, ok}` */
export async function measureJobs(rounds) {
  const lines = [
    `| what, ${JOBS} jobs one after another, ${rounds} rounds | row + BullMQ + word | gantry | × | goal |`,
    '|---|---|---|---|---|',
  ];
  let ok = true;
  for (const [label, measure] of [
    ['Redis, a node and a worker', onRedis],
    ['Postgres, one node', onPostgres],
  ]) {
    const rows = await measure(rounds);
    const times = quartiles(rows.map(({ gantry, floor }) => percentile(gantry, 0.5) / percentile(floor, 0.5)));
    ok &&= times.median <= LIMIT;
    const of = (name, share) => quartiles(rows.map((row) => percentile(row[name], share))).median.toFixed(2);
    const mark = `≤ ${LIMIT} ${times.median <= LIMIT ? '✓' : '✗'}`;
    const ratio = `${times.median.toFixed(2)} (${times.q1.toFixed(2)}–${times.q3.toFixed(2)})`;
    lines.push(
      `| call → first progress, p50, ${label} | ${of('floor', 0.5)} ms | ${of('gantry', 0.5)} ms | ${ratio} | ${mark} |`,
    );
    lines.push(`| the same, p99 | ${of('floor', 0.99)} ms | ${of('gantry', 0.99)} ms | | |`);
  }
  return { text: lines.join('\n'), ok };
}

async function onRedis(rounds) {
  const redis = await startTemporaryRedis();
  try {
    return await sideBySide(rounds, { redisUrl: redis.url, roles: ['api', 'worker'] });
  } finally {
    await redis.stop();
  }
}

const onPostgres = (rounds) => sideBySide(rounds, { roles: ['all'] });

async function sideBySide(rounds, { redisUrl, roles }) {
  const gantry = await startGantryNodes({ count: roles.length, redisUrl, roles });
  const stops = [gantry.stop];
  try {
    const [node] = gantry.nodes;
    await node.admin('PUT', '/tenants/bench/servers/bench', { name: 'Bench', tools: [TOOL] });
    const floor = await startFloor(gantry.databaseUrl, redisUrl, roles);
    stops.unshift(floor.stop);
    await run(floor.url, {}, WARM);
    await run(node.url, node.headers, WARM);
    const rows = [];
    while (rows.length < rounds) {
      rows.push({ floor: await run(floor.url, {}, JOBS), gantry: await run(node.url, node.headers, JOBS) });
    }
    return rows;
  } finally {
    for (const stop of stops) await stop();
  }
}

/** In the same Postgres, in a database of its own. */
async function startFloor(databaseUrl, redisUrl, roles) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CREATE DATABASE floor');
  await client.end();
  const own = new URL(databaseUrl);
  own.pathname = '/floor';
  const started = [];
  for (const role of roles) {
    const port = await freePort();
    const argument = JSON.stringify({ port, role, databaseUrl: own.href, redisUrl });
    started.push({ ...(await startPinned(`floor ${role}`, [FLOOR, argument], { port, env: {} })), port });
  }
  const stop = async () => void (await Promise.all(started.map((one) => one.stop())));
  return { url: `http://127.0.0.1:${started[0].port}/`, stop };
}

/** Milliseconds of each job, one at a time. */
async function run(url, headers, count) {
  const all = [];
  for (let at = 0; at < count; at += 1) all.push(await firstProgress(url, headers, at));
  return all;
}

export function firstProgress(url, headers, id) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: {
      name: TOOL.name,
      arguments: { n: 1 },
      _meta: {
        progressToken: 't',
        'io.modelcontextprotocol/protocolVersion': REVISION,
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  });
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    let first;
    let text = '';
    const sent = request(url, {
      method: 'POST',
      headers: {
        ...headers,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': REVISION,
        'mcp-method': 'tools/call',
        'mcp-name': TOOL.name,
      },
    });
    const late = setTimeout(
      () => sent.destroy(new Error(`no end of a job in ${DEADLINE_MS} ms: ${text}`)),
      DEADLINE_MS,
    );
    sent.once('error', reject).once('response', (response) => {
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
        if (first === undefined && text.includes('"progress":'))
          first = Number(process.hrtime.bigint() - started) / 1e6;
      });
      response.once('close', () => {
        clearTimeout(late);
        if (first === undefined) reject(new Error(`no progress came, status ${response.statusCode}: ${text}`));
        else resolve(first);
      });
    });
    sent.end(body);
  });
}
