import type { Replay, StreamFollower, StreamSpec } from '@gantry/mcp-core';
import type { ReadReply } from './log-redis.js';

interface Settling<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** What one node wants of one stream: as the write script takes it, and what is to be done with the outcome. */
export type Operation = { readonly words: readonly string[]; readonly bytes: number } & (
  | { readonly kind: 'open'; readonly reject: (error: unknown) => void }
  | ({ readonly kind: 'append'; readonly data: string; readonly ends: boolean } & Settling<number | undefined>)
  | ({ readonly kind: 'end' } & Settling<void>)
  /** The newest sequence, which each write tells anyway. */
  | ({ readonly kind: 'last' } & Settling<number | undefined>)
  | ({ readonly kind: 'read'; readonly position: number } & Settling<ReadReply | undefined>)
  | ({ readonly kind: 'follow'; readonly position: number; readonly follower: StreamFollower } & Settling<
      (() => void) | undefined
    >)
  /** Appends all and ends, or does nothing unless the stream is open with that newest event. */
  | ({ readonly kind: 'settle'; readonly data: readonly string[] } & Settling<boolean>)
);

/** What an operation takes beside its events. */
const OPERATION_BYTES = 100;

export function openOperation({ maxEvents, maxBytes, call }: StreamSpec, reject: (error: unknown) => void): Operation {
  const words = ['o', String(maxEvents), String(maxBytes), call?.node ?? '', call ? JSON.stringify(call.requests) : ''];
  return { kind: 'open', words, bytes: OPERATION_BYTES, reject };
}

export function appendOperation(data: string, ends: boolean, settling: Settling<number | undefined>): Operation {
  const words = ends ? ['a', data, 'e'] : ['a', data];
  return { kind: 'append', words, bytes: OPERATION_BYTES + data.length, data, ends, ...settling };
}

export function endOperation(settling: Settling<void>): Operation {
  return { kind: 'end', words: ['e'], bytes: OPERATION_BYTES, ...settling };
}

export function lastOperation(settling: Settling<number | undefined>): Operation {
  return { kind: 'last', words: [], bytes: OPERATION_BYTES, ...settling };
}

export function readOperation(position: number, settling: Settling<ReadReply | undefined>): Operation {
  return { kind: 'read', words: ['r', String(position)], bytes: OPERATION_BYTES, position, ...settling };
}

export function followOperation(
  position: number,
  follower: StreamFollower,
  settling: Settling<(() => void) | undefined>,
): Operation {
  return { kind: 'follow', words: ['f', String(position)], bytes: OPERATION_BYTES, position, follower, ...settling };
}

export function settleOperation(last: number, data: readonly string[], settling: Settling<boolean>): Operation {
  const words = ['c', String(last), ...data.flatMap((one) => ['a', one]), 'e'];
  return { kind: 'settle', words, bytes: OPERATION_BYTES, data, ...settling };
}

/** Whether it leaves all as it is, so that whoever wants it may as well be told at once that Redis is away. */
export function changesNothing({ kind }: Operation): boolean {
  return kind === 'last' || kind === 'read';
}

/** What was read after a position, for whoever asked the log. */
export function replayOf(position: number, read: ReadReply): Replay {
  const events = read.events.map((data, at) => ({ sequence: read.first + at, data }));
  return { events, gap: read.first > position + 1, ended: read.status !== 0 };
}
