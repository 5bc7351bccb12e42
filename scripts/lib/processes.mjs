import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** True while a process with this id runs (a zombie does not). */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  return startMark(pid) !== 'zombie';
}

/**
 * When a process was started, in a form that tells two owners of one id apart; undefined where the system
 * does not say.
 */
export function startMark(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'zombie' : fields[19];
  } catch {
    return undefined;
  }
}

/** The parent of a process; undefined where the system does not say. */
export function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** True when this id still belongs to the process that had `mark`. */
export function isSameProcess(pid, mark) {
  return isAlive(pid) && (mark === undefined || startMark(pid) === mark);
}

/** Polls until `test` holds; false when `ms` have passed. */
export async function waitUntil(test, ms, everyMs = 25) {
  const end = Date.now() + ms;
  for (;;) {
    if (await test()) return true;
    if (Date.now() >= end) return false;
    await delay(everyMs);
  }
}

/** Resolves true once a child has ended, false after `ms`. */
export function ended(child, ms) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** Asks a child to end, and kills it when it has not within `ms`. */
export async function stopChild(child, signal, ms) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  if (await ended(child, ms)) return;
  child.kill('SIGKILL');
  await ended(child, 1000);
}

/** Undefined when the port can be bound, else the system's error code. */
export function portFault(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(error.code));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** A loopback port that was free a moment ago. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/**
 * A free loopback port to come back to: it is below those that a system gives to connections, so that nobody is given it
 * while whoever serves on it is away. So is the port 10 000 above it, on which a node of a Redis Cluster talks to others.
 */
export async function steadyPort() {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 10_700);
    if ((await portFault(port, '127.0.0.1')) === undefined) return port;
  }
}
