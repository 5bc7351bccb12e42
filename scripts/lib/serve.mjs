// One start, from an empty clone to a running house: see "Commands" in docs.
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { announce } from './announce.mjs';
import { API_ENTRY, build, CONSOLE_ENTRY, hasConsole } from './build.mjs';
import { clusterFolder, keptSecret, makeDataDir, newMasterKey, newToken } from './embedded.mjs';
import { ensureInstalled } from './install.mjs';
import { takeLock } from './lock.mjs';
import { checkEnvironment, migrateDatabase } from './migrate.mjs';
import { ROOT, Stop } from './paths.mjs';
import { newPassword, startPostgres } from './postgres.mjs';
import { portFault } from './processes.mjs';
import { answers, endLeftOvers, Supervisor, saysReady } from './supervisor.mjs';
import { spawnTethered } from './tether.mjs';

const READY_MS = 60_000;
const NOTICE_MS = 3_000;
// Together with Postgres' two seconds this stays well below ten.
const API_GRACE_MS = 6_500;
const CONSOLE_GRACE_MS = 500;
// Every new cluster has it.
const DATABASE = 'postgres';
const BUDGET = { first: 90, later: 10 };

/** Starts everything and resolves with the exit code when it has ended. `startApi`, `startConsole` replace a process. */
export async function serve({ startApi = spawnApi, startConsole = spawnConsole, workspaces } = {}) {
  const started = Date.now();
  await ensureInstalled();
  const wantsConsole = process.env.ADMIN_PORT?.trim() !== '0' && hasConsole();
  const installedAt = Date.now();
  // A build that takes its time is named; one that finds nothing to do goes without saying.
  const notice = setTimeout(() => console.log('Building what changed: a minute or two the first time …'), NOTICE_MS);
  await build(workspaces ?? ['@gantry/api', ...(wantsConsole ? ['@gantry/admin'] : [])]).finally(() =>
    clearTimeout(notice),
  );
  const builtAt = Date.now();

  const dataDir = resolve(process.env.DATA_DIR?.trim() || './data');
  const embedded = !process.env.DATABASE_URL?.trim();
  await checkEnvironment(embedded ? stubbed(process.env) : process.env);
  makeDataDir(dataDir);
  const lock = await takeLock(join(dataDir, 'gantry.lock'));
  if (lock.holder) {
    throw new Stop(
      `DATA_DIR: ${dataDir} is in use by process ${lock.holder}; end it, or set DATA_DIR to another folder`,
    );
  }
  await endLeftOvers(lock.left);
  for (const path of lock.left?.scratch ?? []) rmSync(path, { recursive: true, force: true });
  const supervisor = new Supervisor(lock);
  try {
    const env = { ...process.env, DATA_DIR: dataDir, ...(embedded ? embeddedSecrets(dataDir) : {}) };
    const config = await checkEnvironment(embedded ? stubbed(env) : env);
    await requireFreePort('PORT', config.port, config.host);
    if (wantsConsole) await requireFreePort('ADMIN_PORT', config.adminPort, config.host);
    if (embedded) env.DATABASE_URL = await openPostgres(supervisor, dataDir);
    if (!supervisor.isEnding) await migrateDatabase(env.DATABASE_URL);
    if (!supervisor.isEnding) await startAll(supervisor, { env, config, wantsConsole, startApi, startConsole });
    if (!supervisor.isEnding) {
      const generated = embedded && !process.env.GANTRY_ADMIN_TOKEN?.trim();
      const seconds = (Date.now() - started) / 1000;
      const consoleUrl = wantsConsole ? config.adminUrl : undefined;
      announce({ config, seconds, consoleUrl, generated, terminal: process.stdout.isTTY === true });
      sayTimes({ started, installedAt, builtAt });
    }
  } catch (error) {
    await supervisor.end(1);
    throw error;
  }
  return supervisor.finished;
}

/** The environment as it will be, for checking it before anything runs. */
function stubbed(env) {
  return {
    DATABASE_URL: 'postgresql://127.0.0.1/gantry',
    ...withoutEmpty(env),
    GANTRY_EMBEDDED: '1',
    GANTRY_MASTER_KEY: env.GANTRY_MASTER_KEY?.trim() || newMasterKey(),
  };
}

function withoutEmpty(env) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
}

function embeddedSecrets(dataDir) {
  const { GANTRY_MASTER_KEY, GANTRY_ADMIN_TOKEN } = process.env;
  return {
    GANTRY_EMBEDDED: '1',
    GANTRY_MASTER_KEY: GANTRY_MASTER_KEY?.trim() || keptSecret(dataDir, 'master-key', newMasterKey),
    GANTRY_ADMIN_TOKEN: GANTRY_ADMIN_TOKEN?.trim() || keptSecret(dataDir, 'admin-token', newToken),
  };
}

async function requireFreePort(name, port, host) {
  const fault = await portFault(port, host);
  if (fault === 'EADDRINUSE') throw new Stop(`${name}: port ${port} on ${host} is in use; set ${name} to a free one`);
  if (fault) throw new Stop(`${name}: port ${port} on ${host} cannot be listened on (${fault})`);
}

async function openPostgres(supervisor, dataDir) {
  const folder = clusterFolder(dataDir, (line) => console.log(line));
  const password = keptSecret(dataDir, 'postgres-password', newPassword);
  const server = await supervisor.addPostgres(startPostgres({ folder, password }));
  return server.url(DATABASE);
}

async function startAll(supervisor, { env, config, wantsConsole, startApi, startConsole }) {
  const api = startApi(supervisor, env);
  const console_ = wantsConsole ? startConsole(supervisor, config) : undefined;
  const ready = await Promise.all([
    saysReady(api, READY_MS).then((ok) => ok || supervisor.fail('the API did not become ready')),
    console_ &&
      answers(`http://${reachable(config.host)}:${config.adminPort}/`, console_, READY_MS).then(
        (ok) => ok || supervisor.fail('the console did not become ready'),
      ),
  ]);
  return ready;
}

export function spawnApi(supervisor, env) {
  const child = spawnTethered(process.execPath, ['--enable-source-maps', API_ENTRY], {
    cwd: ROOT,
    env: { LOG_LEVEL: 'warn', ...withoutEmpty(env) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return supervisor.add('API', child, API_GRACE_MS);
}

export function spawnConsole(supervisor, config) {
  const child = spawnTethered(process.execPath, [CONSOLE_ENTRY], {
    cwd: ROOT,
    env: consoleEnv(config),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return supervisor.add('console', child, CONSOLE_GRACE_MS);
}

/** The console reaches the API as any client does: it gets no key, token or database. */
export function consoleEnv(config) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(GANTRY_|DATABASE_URL$|REDIS_URL$|LIMIT_)/.test(name));
  return {
    ...Object.fromEntries(kept),
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    PORT: String(config.adminPort),
    HOSTNAME: config.host,
    API_URL: process.env.API_URL?.trim() || `http://${reachable(config.host)}:${config.port}`,
  };
}

/** A listening address as one can connect to it. */
function reachable(host) {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function sayTimes({ started, installedAt, builtAt }) {
  const seconds = (from, to) => `${((to - from) / 1000).toFixed(1)} s`;
  const total = Date.now() - installedAt;
  console.log(
    `(install ${seconds(started, installedAt)}, build ${seconds(installedAt, builtAt)}, start ${seconds(builtAt, Date.now())}; ` +
      `budget without installing: ${BUDGET.first} s the first time, ${BUDGET.later} s later; took ${(total / 1000).toFixed(1)} s)`,
  );
}
