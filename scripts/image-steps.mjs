// Builds the images of the Dockerfile in plain folders, step by step, and starts what came out: a Postgres, a Redis, the
// migrate step, the API and the console, each as a user who may write nowhere. Takes minutes.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseDockerfile, parseDockerignore } from './lib/dockerfile.mjs';
import { filesBelow, runStage, sizeOf } from './lib/image-steps.mjs';
import { ROOT, run, Stop } from './lib/paths.mjs';
import { startTemporaryPostgres } from './lib/postgres.mjs';
import { freePort, stopChild, waitUntil } from './lib/processes.mjs';
import { startTemporaryRedis } from './lib/redis.mjs';

const MIB = 1024 * 1024;
const MAX_MIB = 150;
const START_MS = 60_000;
/** Somebody without rights on this machine, as the user of an image is in its own. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** What no image may hold: files of a deployment, and texts that only one place or one secret would make. */
const FORBIDDEN_FILES = /(^|\/)(\.env(\.|$)|master-key$|admin-token$|demo-key$|.*\.pem$|\.npmrc$|\.git\/)/;
const SECRET = /-----BEGIN [A-Z ]*PRIVATE KEY-----(\s|\\n)*[A-Za-z0-9+/]{40}|\bgt[ayps]_[A-Za-z0-9_-]{20,}/;
// The bare name is in libraries that treat loopback in a way of its own.
const ADDRESS = /\w:\/\/(localhost|127\.0\.0\.1)|(localhost|127\.0\.0\.1):\d/;

run(async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'gantry-images-'));
  chmodSync(scratch, 0o755);
  try {
    const read = (path) => readFileSync(join(ROOT, path), 'utf8');
    const steps = {
      stages: parseDockerfile(read('Dockerfile')),
      ignored: parseDockerignore(read('.dockerignore')),
      context: ROOT,
      scratch,
      done: new Map(),
      say: console.log,
    };
    const api = runStage({ ...steps, target: 'api' });
    const admin = runStage({ ...steps, target: 'admin' });
    for (const image of [api, admin]) checkContent(image);
    checkBundle(admin);
    await startAll(api, admin);
    console.log('the images hold what they need, and start on a read-only file system');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

function checkContent({ root, folder }) {
  const mib = sizeOf(folder) / MIB;
  console.log(`${relative(join(root, '..'), folder)}: ${mib.toFixed(1)} MiB`);
  if (mib > MAX_MIB) throw new Stop(`${folder} takes ${mib.toFixed(1)} MiB, more than ${MAX_MIB}`);
  for (const path of filesBelow(folder)) {
    if (FORBIDDEN_FILES.test(path)) throw new Stop(`${path} has no place in an image`);
    // What packages bring holds examples of everything.
    if (/(^|\/)node_modules\//.test(path) || !/\.(m?js|json|html|css|txt)$/.test(path)) continue;
    if (SECRET.test(readFileSync(join(folder, path), 'utf8'))) throw new Stop(`${path} holds what looks like a secret`);
  }
}

/** What browsers load names no address: it is the same behind any public URL. */
function checkBundle({ folder }) {
  const bundle = join(folder, 'apps/admin/.next/static');
  const faults = [...filesBelow(bundle)].filter((path) => ADDRESS.test(readFileSync(join(bundle, path), 'utf8')));
  if (faults.length > 0) throw new Stop(`the bundle names an address: ${faults.join(', ')}`);
}

async function startAll(api, admin) {
  const [postgres, redis] = await Promise.all([startTemporaryPostgres(), startTemporaryRedis({ appendOnly: true })]);
  const children = [];
  try {
    const [port, adminPort] = [await freePort(), await freePort()];
    const database = { DATABASE_URL: postgres.url('postgres') };
    seal(api);
    seal(admin);
    const before = [listing(api), listing(admin)];
    const migrated = spawnSync(process.execPath, ['docker/migrate.mjs'], {
      ...asImage(api, database),
      encoding: 'utf8',
    });
    if (migrated.status !== 0) throw new Stop(`the migrate step failed: ${migrated.stdout}${migrated.stderr}`);
    const url = `http://127.0.0.1:${port}`;
    const env = {
      ...database,
      HOST: '127.0.0.1',
      PORT: String(port),
      REDIS_URL: redis.url,
      GANTRY_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
      GANTRY_ADMIN_TOKEN: 'image-admin-token-0123456789',
    };
    children.push(start(api, env), start(admin, { HOSTNAME: '127.0.0.1', PORT: String(adminPort), API_URL: url }));
    await answers(children[0], `${url}/readyz`);
    await answers(children[1], `http://127.0.0.1:${adminPort}/icon.svg`);
    await callTool(url, env.GANTRY_ADMIN_TOKEN);
    const page = await fetch(`http://127.0.0.1:${adminPort}/login`);
    if (!page.ok) throw new Stop(`the console's sign-in page answers ${page.status}`);
    if (JSON.stringify([listing(api), listing(admin)]) !== JSON.stringify(before)) {
      throw new Stop('an image wrote into its own folder');
    }
  } finally {
    await Promise.all(children.map(({ child }) => stopChild(child, 'SIGTERM', 10_000)));
    await Promise.all([postgres.stop(), redis.stop()]);
  }
}

/** Takes the right to write away, as far as users have one here. */
function seal({ root }) {
  spawnSync('chmod', ['-R', 'a-w,a+rX', root]);
}

const listing = ({ folder }) => [...filesBelow(folder)].length;

function asImage({ folder, env: own }, env) {
  // Nothing of this machine's environment, and no home to write to.
  return { cwd: folder, env: { PATH: process.env.PATH, HOME: '/nonexistent', ...own, ...env }, ...NOBODY };
}

function start(image, env) {
  const [program, ...args] = image.command;
  if (program !== 'node') throw new Stop(`expected CMD ["node", …], found ${program}`);
  const child = spawn(process.execPath, args, { ...asImage(image, env), stdio: ['ignore', 'pipe', 'pipe'] });
  const started = { child, output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      started.output = (started.output + chunk).slice(-8_000);
    });
  }
  return started;
}

async function answers(started, url) {
  const ok = () =>
    fetch(url).then(
      (response) => response.ok,
      () => false,
    );
  const up = await waitUntil(async () => started.child.exitCode !== null || (await ok()), START_MS, 100);
  if (!up || started.child.exitCode !== null) throw new Stop(`nothing answers at ${url}: ${started.output}`);
}

/** A tool in the sandbox, so that its processes and the engine are known to be there. */
async function callTool(url, token) {
  const send = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Stop(`${method} ${path}: ${response.status} ${text}`);
    return text;
  };
  const source = 'export default async ({ n }) => String(n + 1);';
  const tools = [{ name: 'next', description: 'next', inputSchema: { type: 'object' }, code: { source } }];
  await send('POST', '/api/v1/tenants', { slug: 'image', name: 'Image' });
  await send('PUT', '/api/v1/tenants/image/servers/one', { name: 'One', tools });
  const version = '2026-07-28';
  const meta = { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} };
  const params = { name: 'next', arguments: { n: 41 }, _meta: meta };
  const answer = await send(
    'POST',
    '/mcp/image/one',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': 'next',
    },
  );
  if (!answer.includes('"42"')) throw new Stop(`the tool answered ${answer}`);
}
