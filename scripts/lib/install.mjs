// Brings node_modules to what package-lock.json says, and remembers which lock file it was.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeLock } from './lock.mjs';
import { ROOT, Stop } from './paths.mjs';

const MODULES = join(ROOT, 'node_modules');
const MARKER = join(MODULES, '.gantry-lock-hash');
const WAIT_MS = 600_000;

/** Installs when something is missing or the lock file has changed; otherwise takes a few milliseconds. */
export async function ensureInstalled(say = console.log) {
  if (isInstalled()) return;
  const lock = await takeLock(join(ROOT, '.turbo', 'install.lock'), { waitMs: WAIT_MS });
  if (lock.holder) throw new Stop(`another process (pid ${lock.holder}) is installing for over 10 minutes`);
  try {
    if (isInstalled()) return;
    say('Installing dependencies (npm ci) …');
    const started = Date.now();
    await npmCi();
    writeFileSync(MARKER, lockHash());
    say(`Installed in ${((Date.now() - started) / 1000).toFixed(0)} s.`);
  } finally {
    lock.release();
  }
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');
}

function isInstalled() {
  if (!existsSync(join(MODULES, '.package-lock.json'))) return false;
  const hash = lockHash();
  if (existsSync(MARKER) && readFileSync(MARKER, 'utf8') === hash) return true;
  // Somebody may have run npm by hand: npm notes at the end what it installed.
  if (!matches()) return false;
  writeFileSync(MARKER, hash);
  return true;
}

function matches() {
  const { packages: wanted } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { packages: found } = JSON.parse(readFileSync(join(MODULES, '.package-lock.json'), 'utf8'));
  return Object.entries(wanted).every(
    ([path, { version, link, optional, devOptional, peer }]) =>
      !path.startsWith('node_modules/') ||
      link ||
      found[path]?.version === version ||
      ((optional || devOptional || peer) && !found[path]),
  );
}

/** `npm ci` with a quiet terminal; what it says is shown when it fails. */
function npmCi() {
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const [command, first] = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, [process.env.npm_execpath]]
    : ['npm', []];
  const child = spawn(command, [...first, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-8000);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Stop(`npm could not be run: ${error.message}`)));
    child.once('close', (code) => {
      if (code === 0) return resolve();
      process.stderr.write(output);
      reject(new Stop('npm ci failed, see above'));
    });
  });
}
