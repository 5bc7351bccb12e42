// The processes of one start: ended together, in order, whatever happens to any of them or to us.
import { get } from 'node:http';
import { isSameProcess, parentOf, startMark, stopChild, waitUntil } from './processes.mjs';

const STALE_MS = 10_000;
const POSTGRES_GRACE_MS = 2_000;
const PARENT_POLL_MS = 500;
// Read when the process begins: a parent that goes away during the build is noticed too.
const PARENT = process.ppid;
// npm puts a shell in between, which outlives it.
const GRANDPARENT = process.env.npm_lifecycle_event ? parentOf(PARENT) : undefined;

export class Supervisor {
  #stops = [];
  #children = new Map();
  #ending;
  #scratch = [];
  #finish;
  /** Resolves with the exit code once everything has ended. */
  finished = new Promise((resolve) => {
    this.#finish = resolve;
  });

  constructor(lock) {
    this.lock = lock;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(signal, () => {
        if (this.#ending) this.#killAll();
        void this.end(0);
      });
    }
    // Nobody may be left to read what we say.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
    this.parentTimer = setInterval(() => {
      if (isOrphaned()) void this.end(0);
    }, PARENT_POLL_MS);
  }

  get isEnding() {
    return this.#ending !== undefined;
  }

  /** What is added last is ended first. */
  onEnd(stop) {
    this.#stops.push(stop);
  }

  /** Watches a child: when it ends unasked, everything ends. `graceMs` is how long it may take to end when asked. */
  add(name, child, graceMs) {
    this.#note(child.pid);
    child.once('error', (error) => this.fail(`the ${name} could not be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      this.#children.delete(child.pid);
      if (!this.isEnding && !child.replaced)
        this.fail(`the ${name} ended unexpectedly (${signal ?? `exit code ${code}`})`);
    });
    this.onEnd(() => stopChild(child, 'SIGTERM', graceMs));
    return child;
  }

  /** The same for a Postgres that is being started; resolves with it, also when everything ends meanwhile. */
  async addPostgres(starting) {
    this.onEnd(async () => (await starting).stop(POSTGRES_GRACE_MS));
    const server = await starting;
    this.#scratch.push(...server.scratch);
    this.#note(server.pid);
    void server.exited.then((how) => {
      this.#children.delete(server.pid);
      if (!this.isEnding) this.fail(`the embedded Postgres ended unexpectedly (${how})`);
    });
    return server;
  }

  fail(message) {
    if (this.isEnding) return;
    console.error(`gantry: ${message}`);
    void this.end(1);
  }

  end(code) {
    this.#ending ??= this.#endAll(code);
    return this.#ending;
  }

  async #endAll(code) {
    clearInterval(this.parentTimer);
    for (const stop of this.#stops.reverse()) await Promise.resolve(stop()).catch(() => undefined);
    this.lock.release();
    this.#finish(code);
  }

  #note(pid) {
    if (pid === undefined) return;
    this.#children.set(pid, startMark(pid));
    this.lock.update({ children: [...this.#children], scratch: this.#scratch });
  }

  #killAll() {
    for (const [pid, mark] of this.#children) {
      if (isSameProcess(pid, mark)) process.kill(pid, 'SIGKILL');
    }
  }
}

function isOrphaned() {
  return process.ppid !== PARENT || (GRANDPARENT !== undefined && parentOf(PARENT) !== GRANDPARENT);
}

/** Waits for the processes of a start that was killed, and kills those that do not end by themselves. */
export async function endLeftOvers(notes) {
  const alive = () => (notes?.children ?? []).filter(([pid, mark]) => isSameProcess(pid, mark));
  if (alive().length === 0) return;
  console.log('gantry: the last start was killed; waiting for its processes to end');
  if (await waitUntil(() => alive().length === 0, STALE_MS)) return;
  for (const [pid] of alive()) process.kill(pid, 'SIGKILL');
  await waitUntil(() => alive().length === 0, 2000);
}

/** Resolves when the child says by IPC that it is ready; false when it ends or `ms` pass before. */
export function saysReady(child, ms) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const done = (answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    child.on('message', (message) => {
      if (message?.type === 'ready') done(true);
    });
    child.once('exit', () => done(false));
  });
}

/** Resolves when a URL answers anything; false when the child ends or `ms` pass before. */
export async function answers(url, child, ms) {
  const probe = () =>
    new Promise((resolve) => {
      const request = get(url, { timeout: 2000 }, (response) => {
        response.resume();
        resolve(true);
      });
      request.once('timeout', () => request.destroy());
      request.once('error', () => resolve(false));
    });
  let ok = false;
  await waitUntil(
    async () => {
      ok = await probe();
      return ok || child.exitCode !== null || child.signalCode !== null;
    },
    ms,
    50,
  );
  return ok;
}
