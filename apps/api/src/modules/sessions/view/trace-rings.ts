import type { SessionKey, SessionTracer, TracedMessage } from '@gantry/mcp-core';
import { tenantOfKey } from '../../tools/catalogue/snapshot.js';

/** Messages that are kept of one session. */
const RING_MESSAGES = 200;
/** What all rings of a node may take; a message is about this large beside its name. */
const RINGS_BYTES = 32 * 1024 * 1024;
const MESSAGE_BYTES = 200;
const RING_BYTES = 400;
const NAME_LENGTH = 128;

/** A message as it is kept: `sequence` counts from 1 in each session. */
export interface KeptMessage extends TracedMessage {
  readonly at: number;
  readonly sequence: number;
}

/** What passed in a session on this node, in numbers. */
export interface SessionCounts {
  readonly calls: number;
  readonly errors: number;
  readonly lastAt: number;
}

interface Ring {
  readonly key: SessionKey;
  readonly tenantId: string;
  /** Circular once it is full. */
  readonly messages: KeptMessage[];
  total: number;
  calls: number;
  errors: number;
  lastAt: number;
}

export type SessionListener = (tenantId: string, sessionId: string, ended: boolean) => void;

/**
 * The last messages of the sessions that this node serves: who said what when, never what was in it. Bounded a session,
 * and over all: the sessions that were silent longest are forgotten first.
 */
export class TraceRings implements SessionTracer {
  /** The most recently heard last. */
  private readonly rings = new Map<string, Ring>();
  private readonly listeners = new Set<SessionListener>();
  private bytes = 0;

  constructor(
    private readonly now: () => number,
    private readonly maxBytes = RINGS_BYTES,
  ) {}

  /** Told of each session in which something passes or that ends. Returns the function that ends it. */
  onChange(listener: SessionListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  message(key: SessionKey, message: TracedMessage): void {
    const at = this.now();
    const ring = this.ringOf(key, at);
    const { direction, kind } = message;
    if (direction === 'server' && (kind === 'response' || kind === 'error')) {
      ring.calls += 1;
      if (kind === 'error') ring.errors += 1;
    }
    ring.lastAt = at;
    ring.messages[ring.total % RING_MESSAGES] = kept(ring, message, at);
    ring.total += 1;
    if (ring.total <= RING_MESSAGES) {
      this.bytes += MESSAGE_BYTES;
      this.forgetSilent(ring);
    }
    for (const listener of this.listeners) listener(ring.tenantId, key.id, false);
  }

  ended(key: SessionKey): void {
    const ring = this.rings.get(key.id);
    if (ring !== undefined) this.forget(ring);
    for (const listener of this.listeners) listener(tenantOfKey(key.server), key.id, true);
  }

  counts(key: SessionKey): SessionCounts | undefined {
    const ring = this.rings.get(key.id);
    return ring?.key.owner === key.owner && ring.key.server === key.server ? ring : undefined;
  }

  /** Whether anything is kept of a tenant's session. */
  has(tenantId: string, sessionId: string): boolean {
    return this.rings.get(sessionId)?.tenantId === tenantId;
  }

  /** What is kept of a tenant's session, oldest first, and how much of it is not kept any more. */
  messages(tenantId: string, sessionId: string): { messages: KeptMessage[]; dropped: number } {
    const ring = this.rings.get(sessionId);
    if (ring?.tenantId !== tenantId) return { messages: [], dropped: 0 };
    const start = ring.messages.length < RING_MESSAGES ? 0 : ring.total % RING_MESSAGES;
    const messages = [...ring.messages.slice(start), ...ring.messages.slice(0, start)];
    return { messages, dropped: ring.total - messages.length };
  }

  private ringOf(key: SessionKey, at: number): Ring {
    const there = this.rings.get(key.id);
    if (there !== undefined) {
      // Seldom enough not to cost a busy session anything.
      if (at - there.lastAt > 1_000) {
        this.rings.delete(key.id);
        this.rings.set(key.id, there);
      }
      return there;
    }
    const tenantId = tenantOfKey(key.server);
    const ring: Ring = { key, tenantId, messages: [], total: 0, calls: 0, errors: 0, lastAt: 0 };
    this.rings.set(key.id, ring);
    this.bytes += RING_BYTES;
    return ring;
  }

  private forgetSilent(but: Ring): void {
    while (this.bytes > this.maxBytes) {
      const [oldest] = this.rings.values();
      if (oldest === undefined || oldest === but) return;
      this.forget(oldest);
    }
  }

  private forget(ring: Ring): void {
    if (this.rings.delete(ring.key.id)) this.bytes -= RING_BYTES + ring.messages.length * MESSAGE_BYTES;
  }
}

/** One object of one shape for each message: this is on the way of every one. */
function kept(ring: Ring, message: TracedMessage, at: number): KeptMessage {
  const { direction, kind, name, method, stream, bytes, durationMs } = message;
  const requestId = typeof message.requestId === 'string' ? short(message.requestId) : message.requestId;
  const answers = method === undefined && (kind === 'response' || kind === 'error');
  const request = answers ? asked(ring, direction === 'client' ? 'server' : 'client', requestId) : undefined;
  return {
    direction,
    kind,
    name: short(name),
    method: request?.method ?? short(method),
    requestId,
    stream,
    bytes,
    durationMs: durationMs ?? (request && at - request.at),
    at,
    sequence: ring.total + 1,
  };
}

/** An answer that says neither what it answers nor how long it took: its request is looked for. */
function asked(ring: Ring, by: TracedMessage['direction'], requestId: TracedMessage['requestId']) {
  if (requestId === undefined) return undefined;
  for (let back = 1; back <= ring.messages.length; back += 1) {
    const before = ring.messages[(ring.total - back + RING_MESSAGES) % RING_MESSAGES];
    if (before?.kind === 'request' && before.direction === by && before.requestId === requestId) return before;
  }
  return undefined;
}

/** Cut, and without the long text behind it, which a part of it would keep in memory. */
export function short<T extends string | undefined>(text: T, length = NAME_LENGTH): T {
  return (text === undefined || text.length <= length ? text : Buffer.from(text.slice(0, length)).toString()) as T;
}
