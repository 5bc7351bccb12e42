// A real Postgres of our own: initialised once, on a free loopback port, without sockets in the file system.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Stop } from './paths.mjs';
import { makeReachable, newReachableFolder, postgresBinaries, postgresUser } from './postgres-user.mjs';
import { ended, freePort, isAlive, waitUntil } from './processes.mjs';

const SUPERUSER = 'gantry';
const READY_MS = 60_000;
const STALE_MS = 15_000;
const STARTS = 4;

// Runs beside the server and stops it when whoever started it is gone: its input ends with that process. The pid
// file is compared first, so that a reused process id is never signalled.
const WATCHER = `
cat >/dev/null
owns() { [ "$(head -n 1 "$1/postmaster.pid" 2>/dev/null)" = "$2" ]; }
owns "$1" "$2" && kill -INT "$2"
for i in 1 2 3 4 5 6; do owns "$1" "$2" || exit 0; sleep 1; done
kill -QUIT "$2"`;

/**
 * Starts Postgres in `folder`, which is made and filled on first use. `password` must be the same each time.
 * `settings` are server settings by name, `initdbFlags` more arguments for the first time.
 * @returns `{port, pid, scratch, url(database), exited, stop(ms)}`; `exited` resolves when the server ends.
 */
export async function startPostgres({ folder, password, settings = {}, initdbFlags = [] }) {
  const data = join(folder, 'data');
  const user = postgresUser(data);
  if (!makeReachable(user, folder)) {
    throw new Stop(`the OS user "postgres" cannot reach ${folder}: a folder above it keeps it out`);
  }
  const { folder: native, scratch } = postgresBinaries(user);
  await stopStale(data);
  if (!existsSync(join(data, 'PG_VERSION'))) {
    await initialise({ native, user, folder, data, password, initdbFlags });
  }
  let last = '';
  for (let i = 0; i < STARTS; i++) {
    const port = await freePort();
    const started = await launch({ native, user, folder, data, port, settings });
    if (started.server) return handle({ ...started, data, port, password, scratch });
    last = started.fault;
    // The port may have been taken meanwhile, and after a kill -9 the old server's children may linger a moment.
    if (!/in use/.test(last)) break;
    await waitUntil(() => false, 1000);
  }
  throw new Stop(`embedded Postgres did not start: ${last || 'it gave no reason'} (log: ${join(folder, 'log')})`);
}

async function initialise({ native, user, folder, data, password, initdbFlags }) {
  // A first start that was killed half way leaves a folder without PG_VERSION.
  rmSync(data, { recursive: true, force: true });
  const pwfile = join(folder, 'password');
  writeFileSync(pwfile, `${password}\n`, { mode: 0o600 });
  chmodSync(pwfile, 0o600);
  if (user.uid !== undefined) chownSync(pwfile, user.uid, user.gid);
  // PG_VERSION appears early in initdb's work, so it happens in a folder that is renamed at the end.
  const making = join(folder, 'making');
  rmSync(making, { recursive: true, force: true });
  const args = ['-D', making, '-U', SUPERUSER, '--pwfile', pwfile, '--auth=scram-sha-256', '--encoding=UTF8'];
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const child = spawn(join(native, 'bin', 'initdb'), [...args, ...locale, '--no-instructions', ...initdbFlags], {
    ...user,
    cwd: '/',
    env: bareEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors = (errors + chunk).slice(-4000);
  });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  rmSync(pwfile, { force: true });
  if (code !== 0) throw new Stop(`initdb failed: ${lastLine(errors)}`);
  renameSync(making, data);
}

async function launch({ native, user, folder, data, port, settings }) {
  const log = join(folder, 'log');
  const fd = openSync(log, 'w', 0o600);
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', log_min_messages: 'warning', ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // In a session of its own: a signal to our process group must not stop it before its clients have drained.
  const server = spawn(join(native, 'bin', 'postgres'), ['-D', data, '-p', String(port), ...flags], {
    ...user,
    cwd: '/',
    env: bareEnvironment(),
    detached: true,
    stdio: ['ignore', fd, fd],
  });
  closeSync(fd);
  const failed = new Promise((resolve) => server.once('error', (error) => resolve(error.message)));
  const ready = waitUntil(() => server.exitCode !== null || isReady(data, server.pid), READY_MS, 15);
  const fault = await Promise.race([failed, ready.then(() => undefined)]);
  if (fault === undefined && isReady(data, server.pid)) {
    const watcher = spawn('/bin/sh', ['-c', WATCHER, 'sh', data, String(server.pid)], {
      ...user,
      cwd: '/',
      env: bareEnvironment(),
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    return { server, watcher };
  }
  if (server.pid) server.kill('SIGQUIT');
  return { fault: fault ?? lastLine(readFileSync(log, 'utf8')) };
}

function handle({ server, watcher, data, port, password, scratch }) {
  const exited = new Promise((resolve) => server.once('exit', (code, signal) => resolve(signal ?? code)));
  let stopping;
  return {
    port,
    pid: server.pid,
    scratch,
    exited,
    url: (database) => `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`,
    stop(ms = 4000) {
      stopping ??= stopServer(server, watcher, scratch, ms);
      return stopping;
    },
    data,
  };
}

async function stopServer(server, watcher, scratch, ms) {
  server.kill('SIGINT');
  if (!(await ended(server, ms))) {
    server.kill('SIGQUIT');
    await ended(server, 2000);
  }
  watcher.kill('SIGKILL');
  for (const path of scratch) rmSync(path, { recursive: true, force: true });
}

/** Ends a server that still runs on this folder, left behind by a process that was killed. */
async function stopStale(data) {
  const pid = postmaster(data)[0];
  if (!pid) return;
  if (!isPostgresOn(pid, data)) return disownPid(data);
  // Its watcher is at work already, if it lives.
  if (await waitUntil(() => !isAlive(pid), STALE_MS / 3)) return;
  for (const signal of ['SIGINT', 'SIGQUIT']) {
    process.kill(pid, signal);
    if (await waitUntil(() => !isAlive(pid), STALE_MS / 3)) return;
  }
  throw new Stop(`an old Postgres (pid ${pid}) still runs on ${data} and does not stop: end it first`);
}

/**
 * The pid file names a process that is no Postgres of this folder: a zombie that nobody reaps, or a stranger with a
 * reused id. The server would take it for a running one. Only the id is replaced, by one that is surely free: the
 * rest lets the server find out whether children of the old one still hold its memory.
 */
function disownPid(data) {
  const file = join(data, 'postmaster.pid');
  const free = spawnSync('/bin/sh', ['-c', 'exit 0']).pid;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(free)));
}

function isPostgresOn(pid, data) {
  if (!isAlive(pid)) return false;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data);
  } catch {
    // No /proc: the server itself refuses a data folder that is in use.
    return process.platform !== 'linux';
  }
}

/** `[pid, state]` of the pid file; zero without one. */
function postmaster(data) {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return [Number.parseInt(lines[0], 10), (lines[7] ?? '').trim()];
  } catch {
    return [0, ''];
  }
}

function isReady(data, pid) {
  const [owner, state] = postmaster(data);
  return owner === pid && state === 'ready';
}

/** No secret of ours, and no variable that Postgres would read as a setting. */
function bareEnvironment() {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

function lastLine(text) {
  const lines = text.trim().split('\n');
  return (lines.find((line) => /FATAL/.test(line)) ?? lines.at(-1) ?? '').replace(/^.*?(FATAL|error):\s*/, '').trim();
}

/** A password for a new cluster: safe in a URL. */
export function newPassword() {
  return randomBytes(24).toString('hex');
}

/**
 * A server with an empty cluster in a folder of its own, for tests: fast and without care for a power cut. `stop`
 * removes everything.
 */
export async function startTemporaryPostgres() {
  const home = newReachableFolder(postgresUser(), 'gantry-test-postgres');
  try {
    const server = await startPostgres({
      folder: join(home, 'postgres'),
      password: newPassword(),
      settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
      initdbFlags: ['--no-sync'],
    });
    const stop = async () => {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    };
    return { ...server, stop };
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
}
