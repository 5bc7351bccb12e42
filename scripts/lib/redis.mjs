// Redis servers of our own, for tests and measurements: on free loopback ports, with what they keep in a folder that goes
// with them.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stop } from './paths.mjs';
import { ended, steadyPort, waitUntil } from './processes.mjs';
import { ensureProgram } from './system-packages.mjs';

const READY_MS = 10_000;
const STOP_MS = 5_000;

/**
 * A server that can be cut and brought back on the same port with what it kept.
 * @param appendOnly keep every write on disk before it is answered, so that `kill` loses nothing
 * @param flags more of the command line
 */
export async function startTemporaryRedis({ appendOnly = false, flags = [] } = {}) {
  const [, program] = ensureProgram('redis');
  const folder = mkdtempSync(join(tmpdir(), 'gantry-redis-'));
  const port = await steadyPort();
  const args = [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
    ...['--appendonly', appendOnly ? 'yes' : 'no', '--appendfsync', 'always'],
    ...['--maxmemory-policy', 'noeviction', '--daemonize', 'no', ...flags],
  ];
  let child;
  const start = async () => {
    child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output = (output + chunk).slice(-4_000);
      });
    }
    const up = await waitUntil(async () => child.exitCode !== null || (await answersPing(port)), READY_MS, 10);
    if (!up || child.exitCode !== null) throw new Stop(`redis-server did not start: ${output.trim().slice(-500)}`);
  };
  const end = async (signal) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    if (!(await ended(child, STOP_MS))) {
      child.kill('SIGKILL');
      await ended(child, 1_000);
    }
  };
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return child.pid;
    },
    /** Ends it without a goodbye; `start` brings it back. */
    kill: () => end('SIGKILL'),
    start,
    /** One command on a connection of its own, as words; what came back, as it stood on the wire. */
    command: (words) => command(port, words),
    /** It keeps its sockets and answers nothing until `resume`. */
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGCONT');
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Three masters that share the slots, ready to be asked. */
export async function startTemporaryRedisCluster() {
  const flags = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000'];
  const nodes = await Promise.all([0, 1, 2].map(() => startTemporaryRedis({ flags })));
  const stop = async () => void (await Promise.all(nodes.map((node) => node.stop())));
  try {
    const slots = [0, 5461, 10923, 16384];
    for (const [at, node] of nodes.entries()) {
      await command(node.port, ['CLUSTER', 'ADDSLOTSRANGE', String(slots[at]), String(slots[at + 1] - 1)]);
      if (at > 0) await command(node.port, ['CLUSTER', 'MEET', '127.0.0.1', String(nodes[0].port)]);
    }
    const agreed = async () => {
      const infos = await Promise.all(nodes.map(({ port }) => command(port, ['CLUSTER', 'INFO'])));
      return infos.every((info) => /cluster_state:ok/.test(info) && /cluster_known_nodes:3/.test(info));
    };
    if (!(await waitUntil(agreed, READY_MS, 50))) throw new Stop('the nodes of a Redis Cluster did not agree');
    return { nodes, urls: nodes.map(({ url }) => url), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function answersPing(port) {
  try {
    return /PONG/.test(await command(port, ['PING']));
  } catch {
    return false;
  }
}

/** One command on a connection of its own; what came back, as it stood on the wire. */
function command(port, words) {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.setTimeout(2_000, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
    socket.once('data', (data) => {
      socket.end();
      const text = data.toString();
      if (text.startsWith('-')) reject(new Error(text.trim()));
      else resolve(text);
    });
    socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`);
  });
}
