import type { ClientCapabilities, LetGo, OpenStream, RunningCall, SessionKey, SessionRecord } from '@gantry/mcp-core';
import type { KeptMessage, SessionCounts } from './trace-rings.js';

/*
 * What nodes ask each other about sessions. A node that knows nothing of what it is asked answers null; all of it is
 * read from memory.
 */

export const FACTS = 'sessions.facts';
export const FIND = 'sessions.find';
export const SOME = 'sessions.some';
export const MESSAGES = 'sessions.messages';
export const LET_GO = 'sessions.let-go';
export const CANCEL = 'sessions.cancel';
export const CLIENTS = 'clients.list';
export const FIND_CLIENT = 'clients.find';
export const END_CLIENT = 'clients.end';

/** One session or stateless client of a tenant. */
export interface AskOne {
  readonly tenantId: string;
  readonly id: string;
}

export interface AskFacts {
  readonly keys: readonly SessionKey[];
}

export interface AskSome {
  readonly tenantId: string;
  readonly ids: readonly string[];
}

export interface AskMessages extends AskOne {
  /** By node, the last sequence that is known. */
  readonly after?: Readonly<Record<string, number>> | undefined;
}

export interface AskClients {
  readonly tenantId: string;
  readonly skip: number;
  /** Only these. */
  readonly ids?: readonly string[] | undefined;
}

export interface AskCancel extends AskOne {
  readonly callId: number;
  /** How long to wait for the work to stop, in milliseconds. */
  readonly withinMs: number;
}

/** What a node holds of a session and has seen of it. */
export interface HeldFacts {
  readonly inFlight: number;
  readonly streams: number;
  readonly counts?: SessionCounts | undefined;
}

export interface FactsAnswer {
  /** The node is being emptied. */
  readonly draining: boolean;
  /** In the order of the keys. */
  readonly facts: readonly (HeldFacts | null)[];
}

export interface SomeAnswer {
  readonly draining: boolean;
  readonly found: readonly (HeldFacts & { readonly record: SessionRecord })[];
}

export type WireCall = Omit<RunningCall, 'server' | 'owner' | 'sessionId' | 'client'>;

export interface FoundSession extends HeldFacts {
  readonly draining: boolean;
  readonly record: SessionRecord;
  readonly calls: readonly WireCall[];
  readonly openStreams: readonly OpenStream[];
}

/** A stateless client as one node knows it, with what runs for it there. */
export interface ClientFacts {
  readonly id: string;
  readonly server: string;
  readonly owner: string;
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly revision: string;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly calls: number;
  readonly errors: number;
  readonly inFlight: number;
  readonly streams: number;
}

export interface ClientsAnswer {
  readonly draining: boolean;
  readonly clients: readonly ClientFacts[];
  /** There are more than one answer holds. */
  readonly more: boolean;
}

export interface FoundClient {
  readonly draining: boolean;
  readonly client: ClientFacts;
  readonly capabilities: ClientCapabilities;
  readonly running: readonly WireCall[];
  readonly listens: readonly WireCall[];
}

export interface MessagesAnswer {
  readonly messages: readonly KeptMessage[];
  readonly dropped: number;
}

export interface CancelAnswer {
  /** False when it had been told to stop and still ran when the time was over. */
  readonly stopped: boolean;
}

export type { LetGo };
