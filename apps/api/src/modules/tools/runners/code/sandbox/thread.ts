import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { checkSource } from './check-source.js';
import { threadNumber } from './guest-clock.js';
import { GuestRun, type RunChannel } from './guest-run.js';
import { type Instance, InstanceFactory } from './instances.js';
import {
  type CheckRequest,
  type Entrusted,
  type HostReply,
  placeCell,
  type RunEnd,
  type ThreadSettings,
  type ToSandbox,
  threadCell,
} from './messages.js';
import { Turns } from './turns.js';

/*
 * A thread of a sandbox process: it serves several calls at once, each in an instance of its own, and the code of one
 * of them at a time. Making an instance takes some milliseconds, so a few are kept ready, however many places the
 * thread has, and made while nothing is due.
 */

const sparesKept = 2;
/**
 * Memory of instances that ended is given back by the garbage collector only, which a thread without work does not
 * reach by itself: it is asked for when so much may be held. An instance counts as at least what a fresh one takes.
 */
const garbageMax = 64 * 1024 * 1024;
const freshBytes = 1_500_000;

const { module, shared, memoryBytes } = workerData as ThreadSettings;
const port = parentPort;
if (!port) throw new Error('this file is the entry of a worker thread');

const cells = new Int32Array(shared);
Atomics.store(cells, threadCell.threadId, threadNumber());
const factory = await InstanceFactory.create(module);
const spares: Instance[] = [];
const runs = new Map<number, GuestRun>();
const turns = new Turns({ onDue: (due) => Atomics.store(cells, threadCell.due, due), idle });

const ended = (id: number, end: RunEnd) => port.postMessage({ t: 'end', id, end });
const alive = () => void Atomics.add(cells, threadCell.heartbeat, 1);
const left = () => void Atomics.store(cells, threadCell.inGuest, 0);
const entered = (place: number) => {
  alive();
  // The clock of the machine is the one that all threads read alike; its low half is enough for a difference.
  Atomics.store(cells, threadCell.enteredAt, Date.now() | 0);
  Atomics.store(cells, placeCell(place).begun, 1);
  Atomics.store(cells, threadCell.inGuest, place + 1);
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
let garbageBytes = 0;

async function idle(): Promise<boolean> {
  if (garbageBytes < garbageMax) return refill();
  garbageBytes = 0;
  collectGarbage();
  return true;
}

async function refill(): Promise<boolean> {
  if (spares.length >= sparesKept) return false;
  try {
    spares.push(await factory.make(memoryBytes));
  } catch {
    // A spare saves time only; the call that needs an instance is told why there is none.
    return false;
  }
  return spares.length < sparesKept;
}

function run(request: Extract<Entrusted, { t: 'run' }>): void {
  const { id, tenantId, place } = request;
  const bytes = request.limits.memoryBytes;
  const channel: RunChannel = {
    send: (message) => port?.postMessage(message),
    due: (entry, urgent) => turns.push(tenantId, entry, urgent),
    instance: () => (bytes === memoryBytes ? spares.pop() : undefined) ?? factory.make(bytes),
    entered: () => entered(place),
    alive,
    left,
    cancelled: () => Atomics.load(cells, placeCell(place).cancelled) === 1,
    released: (held) => {
      garbageBytes += Math.max(held, freshBytes);
    },
  };
  const guest = new GuestRun(request, channel);
  runs.set(id, guest);
  void guest.ended.then((end) => {
    runs.delete(id);
    ended(id, end);
  });
}

async function check({ id, source, place }: CheckRequest & Entrusted): Promise<void> {
  // Seen by the watch like a run: a source that takes the parser too long is ended from outside.
  entered(place);
  const fault = await checkSource(module, source);
  left();
  ended(id, { how: 'checked', ...(fault ? { fault } : {}) });
}

port.on('message', (message: Entrusted | Exclude<ToSandbox, { t: 'run' | 'check' }>) => {
  if (message.t === 'run') run(message);
  else if (message.t === 'check') turns.push(message.tenantId, () => check(message));
  else if (message.t === 'cancel') runs.get(message.id)?.abort({ how: 'cancelled' });
  else reply(message);
});

function reply({ id, call, ok, valueJson }: HostReply): void {
  runs.get(id)?.settle(call, ok, valueJson);
}

await refill();
turns.wake();
port.postMessage({ t: 'ready' });
