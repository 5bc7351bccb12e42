import type { InFlightCall, SessionMessage, SessionStream } from '@gantry/contracts';
import type { LetGo, SessionKey, SessionRecord } from '@gantry/mcp-core';
import type { ShownSession } from './session-rows.js';

/** A part of the stored sessions; `next` asks for the part after it. */
export interface SessionPart {
  readonly items: readonly SessionRecord[];
  readonly next: string | undefined;
}

/** Rows, and the nodes that said nothing in time. */
export interface Shown<T> {
  readonly shown: readonly T[];
  readonly silent: readonly string[];
}

/** One session or client with what all nodes hold of it. */
export interface GatheredSession extends ShownSession {
  /** Undefined for a stateless client. */
  readonly record: SessionRecord | undefined;
  readonly clientCapabilities: Readonly<Record<string, unknown>>;
  readonly inFlightCalls: readonly InFlightCall[];
  readonly openStreams: readonly SessionStream[];
  readonly silent: readonly string[];
}

/** The full name of a session, and what each node holds of it. */
export interface HeldKey {
  readonly key: SessionKey;
  readonly byNode: ReadonlyMap<string, LetGo>;
}

export interface GatheredMessages {
  readonly messages: readonly SessionMessage[];
  readonly dropped: number;
  readonly silent: readonly string[];
}

type MessagePlace = Pick<SessionMessage, 'at' | 'node' | 'sequence'>;

/** Messages of one moment by node, then as they came there. */
export function byTime(a: MessagePlace, b: MessagePlace): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  if (a.node !== b.node) return a.node < b.node ? -1 : 1;
  return a.sequence - b.sequence;
}
