import { totalmem } from 'node:os';
import type { ProtocolErrorFactory } from './code-call.js';
import type { CodeLimits } from './sandbox/messages.js';

const MiB = 1024 * 1024;

/** Half of what the container or the machine has. */
export function defaultGuestMemory(): number {
  const granted = process.constrainedMemory();
  return (granted > 0 ? Math.min(granted, totalmem()) : totalmem()) / 2;
}

/** The limits of a call where its `limits` say nothing. */
export const codeLimitDefaults: CodeLimits = Object.freeze({
  cpuMs: 200,
  memoryBytes: 64 * MiB,
  wallMs: 30_000,
  outputBytes: 16 * MiB,
  pendingCalls: 32,
  messages: 10_000,
  messageBytes: 4 * MiB,
  consoleBytes: 64 * 1024,
});

export interface CodeRunnerOptions {
  /** Makes the error for `throw ctx.error(…)`. */
  readonly protocolError: ProtocolErrorFactory;
  readonly processes?: number;
  /** Threads in each process: so many calls compute at one time. */
  readonly threads?: number;
  /** Calls that one thread serves at one time; those that wait for a host call or a timer cost memory only. */
  readonly guestsPerThread?: number;
  /**
   * What the memory limits of all calls under way may sum up to, whatever places are free. By default half of the
   * memory that the machine or the container has, as the limits are what tenant code can be brought to use.
   */
  readonly guestMemoryBytes?: number;
  readonly limits?: Partial<CodeLimits>;
  /** Calls that wait for a place, of all tenants and of one. */
  readonly queueMax?: number;
  readonly tenantQueueMax?: number;
  /** How long a call may wait for a place. */
  readonly queueWaitMs?: number;
  /** The longest response body that `ctx.fetch` takes. */
  readonly fetchBytes?: number;
  /** Where the compiled entry of the sandbox process is. */
  readonly entry?: URL;
  /** Told when a process ended that should not have. */
  readonly onProcessLost?: (detail: { pid: number | undefined; fate: string }) => void;
}

export interface CodeRunnerStats {
  readonly processes: number;
  readonly threads: number;
  /** Calls that can be under way at one time, memory allowing. */
  readonly places: number;
  /** Places that hold a call: those running, and those whose caller has its answer while they come to their end. */
  readonly guests: number;
  readonly running: number;
  readonly queued: number;
  /** Since the start: processes that were killed or died. */
  readonly killed: number;
}
