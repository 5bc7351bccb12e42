import type { CheckRequest, RunEnd, RunRequest } from './sandbox/messages.js';
import type { SandboxProcess } from './sandbox-process.js';

/** The part of a call that the runner moves through its queue and its processes. */
export interface QueuedCall {
  readonly id: number;
  readonly tenantId: string;
  /** For people: `tool "greet"`. */
  readonly label: string;
  /** The limit of the memory that it may use. */
  readonly memoryBytes: number;
  process?: SandboxProcess;
  /** The request for a process, made when there is a place. */
  request(): RunRequest | CheckRequest;
  /** How long a process may hold it before the process itself is judged to be stuck. */
  readonly holdMs: number;
  end(end: RunEnd): void;
  /** It ended for a reason of ours; becomes an internal error. */
  fail(error: Error): void;
  /** It could not start. */
  refuse(why: string): void;
}
