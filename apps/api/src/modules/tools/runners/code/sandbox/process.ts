import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { FromSandbox, ToSandbox } from './messages.js';
import { ThreadPool } from './thread-pool.js';
import { WatchedThread } from './watched-thread.js';

/*
 * The entry of a sandbox process: `process.js <threads> <guests per thread> <memory bytes of pre-made instances>`. It
 * runs no tenant code on this thread, so its channel to the server always answers; the calls run on worker threads.
 */

const watchEveryMs = 100;

// The server decides when this process ends: signals sent to the whole group are for the server, and without the
// server there is nothing to do here.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('disconnect', () => process.exit(0));
if (!process.connected) process.exit(0);

try {
  // Threads inherit it: under load the server's own work comes before tenants' code.
  setPriority(5);
} catch {
  // Not every system lets a process change it; nothing depends on it.
}

const [threads = 1, guestsPerThread = 1, memoryBytes = 0] = process.argv.slice(2).map(Number);
const wasm = readFileSync(fileURLToPath(import.meta.resolve('quickjs-wasi/quickjs.wasm')));
const module = await WebAssembly.compile(wasm);

const emit = (message: FromSandbox) => {
  process.send?.(message, undefined, undefined, (error) => {
    if (error) process.exit(0);
  });
};
const pool = new ThreadPool({
  threads,
  guestsPerThread,
  start: (places, owner) => new WatchedThread(module, memoryBytes, places, owner),
  emit,
});

process.on('message', (message: ToSandbox) => {
  if (message.t === 'run' || message.t === 'check') pool.take(message);
  else pool.deliver(message);
});

setInterval(() => pool.watch(performance.now()), watchEveryMs);
