import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, isAlive, waitUntil } from '../lib/processes.mjs';

const SERVE = fileURLToPath(new URL('serve-built.mjs', import.meta.url));
// As npm does it: a process that has a shell run the command, and the shell stays.
const OUTER = `
const { spawn } = require('node:child_process');
const child = spawn('/bin/sh', ['-c', '"$0" "$1"; exit $?', process.execPath, process.argv[1]], { stdio: 'inherit' });
child.on('exit', (code) => process.exit(code));`;

/** A folder for DATA_DIR that every user can reach. */
export function newDataDir() {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-start-test-'));
  chmodSync(folder, 0o755);
  return {
    dataDir: join(folder, 'data'),
    remove() {
      const postgres = join(folder, 'data/postgres');
      try {
        rmSync(readlinkSync(postgres), { recursive: true, force: true });
      } catch {
        // The usual case: a folder of its own, not a link to one.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A started Gantry, leader of a process group of its own; with `npm`, it is run as npm runs it,
 * and the child is what stands for npm.
 */
export class GantryProcess {
  output = '';

  static async start(dataDir, env = {}, { npm = false } = {}) {
    const port = env.PORT ?? (await freePort());
    const gantry = new GantryProcess();
    gantry.port = port;
    gantry.dataDir = dataDir;
    gantry.child = spawn(process.execPath, npm ? ['-e', OUTER, SERVE] : [SERVE], {
      env: {
        ...process.env,
        npm_lifecycle_event: npm ? 'start' : '',
        DATA_DIR: dataDir,
        PORT: String(port),
        ADMIN_PORT: '0',
        ...env,
      },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [gantry.child.stdout, gantry.child.stderr]) {
      stream.on('data', (chunk) => {
        gantry.output += chunk;
      });
    }
    gantry.exited = new Promise((resolve) => gantry.child.once('close', (code, signal) => resolve(signal ?? code)));
    return gantry;
  }

  /** Waits until it says that it is ready; throws with its output when it ends instead. */
  async ready() {
    const ended = this.exited.then(() => true);
    const said = await Promise.race([
      waitUntil(() => /Gantry is ready/.test(this.output), 45_000),
      ended.then(() => false),
    ]);
    if (!said) throw new Error(`it did not become ready:\n${this.output}`);
    return this;
  }

  /** Pids that it started, as its lock file notes them. */
  notes() {
    const { pid, notes } = JSON.parse(readFileSync(join(this.dataDir, 'gantry.lock'), 'utf8'));
    const [postgres, api] = notes.children.map(([child]) => child);
    return { supervisor: pid, postgres, api };
  }

  /** The exit code, or the signal that ended it; throws when it has not ended within `ms`. */
  async end(ms = 10_000) {
    const timer = new Promise((resolve) => setTimeout(resolve, ms, 'late').unref());
    const how = await Promise.race([this.exited, timer]);
    if (how === 'late') throw new Error(`it still runs after ${ms} ms:\n${this.output}`);
    return how;
  }

  signalGroup(signal) {
    process.kill(-this.child.pid, signal);
  }

  /** Ends whatever is left, for a test that failed half way. */
  async clean() {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.signalGroup('SIGTERM');
      await this.end(15_000).catch(() => this.signalGroup('SIGKILL'));
    }
  }
}

export const allGone = (pids, ms) => waitUntil(() => pids.every((pid) => !isAlive(pid)), ms);
