import { spawn } from 'node:child_process';
import { createConnection } from 'node:net';
import { Stop } from '../../scripts/lib/paths.mjs';
import { stopChild, waitUntil } from '../../scripts/lib/processes.mjs';

const SERVER_CPU = '0';
const READY_MS = 60_000;
const STOP_MS = 10_000;

/** Starts a Node process on the servers' processor and waits until its port answers. `taskset` execs, so the pid is Node's own. */
export async function startPinned(name, args, { port, env, cwd }) {
  const child = spawn('taskset', ['-c', SERVER_CPU, process.execPath, ...args], {
    cwd,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let fault;
  child.once('error', (error) => (fault = error.message));
  const ended = () => fault !== undefined || child.exitCode !== null || child.signalCode !== null;
  await waitUntil(async () => ended() || (await answers(port)), READY_MS);
  if (ended() || !(await answers(port))) throw new Stop(`${name} did not start: ${fault ?? `exit ${child.exitCode}`}`);
  return { name, pid: child.pid, alive: () => !ended(), stop: () => stopChild(child, 'SIGTERM', STOP_MS) };
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
