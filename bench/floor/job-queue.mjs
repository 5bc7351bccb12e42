// The least that a job costs: one row in Postgres, BullMQ from add to process, and a word to whoever holds the caller's
// connection. Node script; argument: JSON {port, role, databaseUrl, redisUrl?}. Role `api` holds callers, `worker` works,
// `all` does both. Without Redis BullMQ runs on Postgres and the word stays in the process.
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { createPostgresBackend, Queue, runMigrations, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';

const { port, role, databaseUrl, redisUrl } = JSON.parse(process.argv[2]);
const QUEUE = 'floor';
const SLOTS = 16;
const backend = redisUrl === undefined ? createPostgresBackend : undefined;
const connection = () =>
  redisUrl === undefined
    ? { connectionString: databaseUrl, schema: 'bullmq', max: 4 }
    : new Redis(redisUrl, { maxRetriesPerRequest: null });
const options = () => ({ connection: connection(), prefix: '{floor}' });

const heard = new EventEmitter().setMaxListeners(0);
const publish = redisUrl === undefined ? (id, text) => heard.emit(id, text) : bell();

function bell() {
  const out = new Redis(redisUrl);
  if (role !== 'worker') {
    const listening = new Redis(redisUrl);
    void listening.subscribe('floor:jobs');
    listening.on('message', (_, text) => heard.emit(JSON.parse(text).id, text));
  }
  return (_, text) => out.publish('floor:jobs', text);
}

if (backend !== undefined) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await runMigrations(client, 'bullmq');
  await client.end();
}

if (role !== 'api') {
  const work = async (job) => {
    await publish(job.id, JSON.stringify({ id: job.id, progress: 1 }));
    await publish(job.id, JSON.stringify({ id: job.id, result: 'done' }));
  };
  const worker = new Worker(
    QUEUE,
    work,
    { ...options(), concurrency: SLOTS, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } },
    backend,
  );
  await worker.waitUntilReady();
}

if (role === 'worker') createServer((_, response) => response.end()).listen(port, '127.0.0.1');
else await serve();

async function serve() {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  await pool.query(
    'CREATE TABLE IF NOT EXISTS floor_jobs (id text PRIMARY KEY, tool text NOT NULL, arguments json NOT NULL)',
  );
  const queue = new Queue(QUEUE, { ...options(), defaultJobOptions: { removeOnComplete: true } }, backend);
  await queue.waitUntilReady();
  let last = 0;
  createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method !== 'POST') return response.end();
    const { name, arguments: given } = JSON.parse(body).params;
    const id = `job-${++last}`;
    const say = (text) => response.write(`data: ${text}\n\n`);
    heard.on(id, (text) => {
      say(text);
      if (JSON.parse(text).result === undefined) return;
      heard.removeAllListeners(id);
      response.end();
    });
    await pool.query('INSERT INTO floor_jobs VALUES ($1, $2, $3)', [id, name, JSON.stringify(given)]);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    await queue.add('run', null, { jobId: id });
  }).listen(port, '127.0.0.1');
}
