/// <reference path="./webassembly.d.ts" />

/*
 * What travels between the server, a sandbox process and its threads. Strings named `…Json` were written by
 * JSON.stringify; those made by tenant code are opened only where their content is judged.
 */

/** The limits of one call. Times are milliseconds, sizes are bytes. */
export interface CodeLimits {
  /** Time the code itself computes; waiting does not count. */
  readonly cpuMs: number;
  readonly memoryBytes: number;
  /** From the start of the call to its end, waiting included. */
  readonly wallMs: number;
  /** As JSON: result and state together, or questions, kept results and request state. */
  readonly outputBytes: number;
  /** `ctx.fetch` and `ctx.sleep` calls that may be under way at one time. */
  readonly pendingCalls: number;
  /** Progress, log and change notifications of the whole call: how many, and their size. */
  readonly messages: number;
  readonly messageBytes: number;
  /** What `console` keeps; the rest is cut with a line that says so. */
  readonly consoleBytes: number;
}

export type LimitName = 'cpu' | 'memory' | 'wall' | 'output' | 'pendingCalls' | 'messages';

export interface RunRequest {
  readonly t: 'run';
  readonly id: number;
  /** Whose call it is, for the turns that guests of one thread take. */
  readonly tenantId: string;
  readonly source: string;
  readonly argumentsJson: string;
  /** `{client, principal, state?, inputs?}`; `inputs` are the `RoundInputs`, absent in a first round. */
  readonly contextJson: string;
  readonly limits: CodeLimits;
}

export interface CheckRequest {
  readonly t: 'check';
  readonly id: number;
  readonly tenantId: string;
  readonly source: string;
}

/** The answer to a host call: a fetch response, or the message of the error that it ended with. */
export interface HostReply {
  readonly t: 'reply';
  readonly id: number;
  readonly call: number;
  readonly ok: boolean;
  readonly valueJson: string;
}

export interface CancelRequest {
  readonly t: 'cancel';
  readonly id: number;
}

export type ToSandbox = RunRequest | CheckRequest | HostReply | CancelRequest;

export type NoteKind = 'progress' | 'log' | 'console' | 'resourceUpdated' | 'listChanged' | 'closeStream';

/** Notifications of one call, in the order in which the code sent them. */
export interface Notes {
  readonly t: 'notes';
  readonly id: number;
  readonly notes: readonly (readonly [kind: NoteKind, json: string])[];
}

export interface HostCall {
  readonly t: 'call';
  readonly id: number;
  readonly call: number;
  readonly requestJson: string;
}

export interface SourceFault {
  readonly message: string;
  /** Counted from 1; absent when the fault is of the source as a whole. */
  readonly line?: number;
  readonly column?: number;
}

export type RunEnd =
  /** `resultJson` is absent when the function returned undefined. */
  | { readonly how: 'returned'; readonly resultJson?: string; readonly stateJson?: string }
  | { readonly how: 'threw'; readonly message: string; readonly line?: number; readonly stateJson?: string }
  | {
      readonly how: 'protocol-error';
      readonly code: number;
      readonly message: string;
      readonly dataJson?: string;
      readonly stateJson?: string;
    }
  /** It asks: `requestsJson` and `keptJson` are objects by key, `requestStateJson` is absent for undefined. */
  | {
      readonly how: 'input-needed';
      readonly requestsJson: string;
      /** What `ctx.once` kept in this round. */
      readonly keptJson: string;
      readonly requestStateJson?: string;
      /** It asks nothing, and wants to go on as a job. */
      readonly detaches?: true;
    }
  | { readonly how: 'limit'; readonly limit: LimitName }
  | { readonly how: 'cancelled' }
  | { readonly how: 'checked'; readonly fault?: SourceFault }
  /** The thread or process was lost without a fault of the code being known. */
  | { readonly how: 'crashed'; readonly detail: string };

/** Sent exactly once for every call that a process took: its place can be used again. */
export interface Ended {
  readonly t: 'end';
  readonly id: number;
  readonly end: RunEnd;
}

/** So many more places can hold a call, or, below 0, fewer: a thread was started or given up. */
export interface Places {
  readonly t: 'places';
  readonly change: number;
}

export type FromSandbox = Notes | HostCall | Ended | Places;

/** What a process hands to one of its threads: which of its places the call is in comes with it. */
export type Entrusted = (RunRequest | CheckRequest) & { readonly place: number };

/** What a thread is started with. */
export interface ThreadSettings {
  readonly module: WebAssembly.Module;
  readonly shared: SharedArrayBuffer;
  /** The memory limit that pre-made instances are made with. */
  readonly memoryBytes: number;
}

/*
 * The shared Int32Array through which a thread is watched while it cannot take messages. After the cells of the thread
 * come those of its places.
 */

/** `inGuest` is the place whose code computes, counted from 1, or 0; `enteredAt` is the low half of the time then. */
export const threadCell = { heartbeat: 0, inGuest: 1, enteredAt: 2, due: 3, threadId: 4 } as const;
const threadCells = 5;

/** `begun` is set before the first of the call's code runs: until then it can be run elsewhere. */
export const placeCell = (place: number) => {
  const first = threadCells + 2 * place;
  return { cancelled: first, begun: first + 1 };
};

export const cellCount = (places: number): number => threadCells + 2 * places;
