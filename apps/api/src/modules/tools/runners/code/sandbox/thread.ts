import { parentPort, workerData } from 'node:worker_threads';
import { checkSource } from './check-source.js';
import { threadNumber } from './guest-clock.js';
import { GuestRun, type RunChannel } from './guest-run.js';
import { type Instance, InstanceFactory } from './instances.js';
import { type RunEnd, type RunRequest, sharedCell, type ThreadSettings, type ToSandbox } from './messages.js';

/*
 * A thread of a sandbox process: one call at a time, each in an instance of its own. Making one takes some
 * milliseconds, so a few are kept ready, and made while nothing waits for the thread.
 */

const sparesKept = 2;

const { module, shared, memoryBytes } = workerData as ThreadSettings;
const port = parentPort;
if (!port) throw new Error('this file is the entry of a worker thread');

const cells = new Int32Array(shared);
Atomics.store(cells, sharedCell.threadId, threadNumber());
const factory = await InstanceFactory.create(module);
const spares: Instance[] = [];
let refilling = false;
let current: { readonly id: number; readonly run: GuestRun } | undefined;

const channel: RunChannel = {
  send: (message) => port.postMessage(message),
  entered: () => {
    Atomics.add(cells, sharedCell.heartbeat, 1);
    Atomics.store(cells, sharedCell.inGuest, 1);
  },
  alive: () => {
    Atomics.add(cells, sharedCell.heartbeat, 1);
  },
  left: () => {
    Atomics.store(cells, sharedCell.inGuest, 0);
  },
  cancelled: () => Atomics.load(cells, sharedCell.cancelled) === 1,
};

function takeInstance(bytes: number): Instance | Promise<Instance> {
  return (bytes === memoryBytes ? spares.pop() : undefined) ?? factory.make(bytes);
}

/** Makes one at a time and lets messages in between: a call that arrives meanwhile goes first. */
async function refill(): Promise<void> {
  if (current || refilling || spares.length >= sparesKept) return;
  refilling = true;
  spares.push(await factory.make(memoryBytes));
  refilling = false;
  setImmediate(() => void refill());
}

async function run(request: RunRequest): Promise<RunEnd> {
  const instance = await takeInstance(request.limits.memoryBytes);
  if (channel.cancelled()) return { how: 'cancelled' };
  const guest = new GuestRun(request, instance, channel);
  current = { id: request.id, run: guest };
  guest.start();
  const end = await guest.ended;
  current = undefined;
  return end;
}

async function check(source: string): Promise<RunEnd> {
  // Seen by the watch like a run: a source that takes the parser too long is ended from outside.
  channel.entered();
  const fault = await checkSource(module, source);
  channel.left();
  return { how: 'checked', ...(fault ? { fault } : {}) };
}

async function serve(request: Extract<ToSandbox, { t: 'run' | 'check' }>): Promise<void> {
  const end = request.t === 'run' ? await run(request) : await check(request.source);
  port?.postMessage({ t: 'end', id: request.id, end, free: true });
  setImmediate(() => void refill());
}

port.on('message', (message: ToSandbox) => {
  if (message.t === 'run' || message.t === 'check') void serve(message);
  else if (current?.id !== message.id) return;
  else if (message.t === 'reply') current.run.settle(message.call, message.ok, message.valueJson);
  else current.run.abort({ how: 'cancelled' });
});

await refill();
port.postMessage({ t: 'slot' });
