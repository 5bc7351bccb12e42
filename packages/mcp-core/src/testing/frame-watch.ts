import { PROTOCOL_VERSION_KEY } from '../protocol/meta-keys.js';
import { faultOfMessage, SCHEMA_REVISIONS, type SchemaRevision } from './frame-schema.js';
import type { Json } from './json.js';

const MODERN: SchemaRevision = '2026-07-28';
const NEWEST_WITH_SESSIONS: SchemaRevision = '2025-11-25';

type Asked = Map<string | number, Set<string>>;
interface WatchedSession {
  revision: SchemaRevision;
  readonly asked: Asked;
}

/** Answers to the requests of a session may come on any of its streams, also to another client on another node. */
const sessions = new Map<string, WatchedSession>();
const violations: string[] = [];

/** What a client sent, as far as it decides how the answer is judged. */
export interface WatchedRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: string;
  /** Path and query, or the whole URL: the query of HTTP+SSE names a session. */
  readonly url?: string;
}

/** Judges every message of the answer to one HTTP request by the schema of the revision that it was asked in. */
export class FrameWatch {
  readonly #own: Asked = new Map();
  #sessionId: string | undefined;
  readonly #version: unknown;
  readonly #modern: boolean;

  constructor({ headers, body, url }: WatchedRequest) {
    this.#sessionId = sessionIn(url) ?? (headers['mcp-session-id'] as string | undefined);
    this.#version = headers['mcp-protocol-version'];
    const messages = messagesOf(body);
    this.#modern =
      this.#version === MODERN ||
      messages.some((message) => message?.params?._meta?.[PROTOCOL_VERSION_KEY] !== undefined);
    for (const message of messages) {
      if (message?.id === undefined || message?.id === null) continue;
      remember(this.#own, message.id, String(message.method));
      if (!this.#modern && this.#session !== undefined)
        remember(this.#session.asked, message.id, String(message.method));
    }
  }

  /** The first event of a stream of HTTP+SSE, which names where to post to. */
  seeEndpoint(uri: string): void {
    this.#sessionId = sessionIn(uri);
    if (this.#sessionId === undefined) violations.push(`the endpoint ${uri} names no session`);
    else sessions.set(this.#sessionId, { revision: NEWEST_WITH_SESSIONS, asked: new Map() });
  }

  /** One message of the answer. `sessionId` is the one that the answer opens. */
  see(message: Json, sessionId?: string): void {
    const agreed = message?.result?.protocolVersion;
    if (sessionId !== undefined && isKnown(agreed)) sessions.set(sessionId, { revision: agreed, asked: new Map() });
    if (isKnown(agreed) && this.#session?.asked.get(message.id)?.has('initialize')) this.#session.revision = agreed;
    const revision = this.#revisionOf(message);
    const fault = faultOfMessage(message, revision, (id) => [
      ...(this.#own.get(id) ?? []),
      ...((!this.#modern && this.#session?.asked.get(id)) || []),
    ]);
    if (fault !== undefined) violations.push(`${fault}\n  in ${JSON.stringify(message).slice(0, 2_000)}`);
  }

  get #session(): WatchedSession | undefined {
    return this.#sessionId === undefined ? undefined : sessions.get(this.#sessionId);
  }

  #revisionOf(message: Json): SchemaRevision {
    if (this.#modern) return MODERN;
    const agreed = message?.result?.protocolVersion;
    if (isKnown(agreed) && [...this.#own.values()].some((methods) => methods.has('initialize'))) return agreed;
    if (this.#session !== undefined) return this.#session.revision;
    return isKnown(this.#version) ? this.#version : NEWEST_WITH_SESSIONS;
  }
}

/** Throws when a message was sent since the last time that its revision does not allow. */
export function expectSoundFrames(): void {
  const found = violations.splice(0);
  if (found.length > 0) throw new Error(`${found.length} unsound messages were sent:\n${found.slice(0, 5).join('\n')}`);
}

function sessionIn(url: string | undefined): string | undefined {
  return url === undefined ? undefined : (new URL(url, 'http://any').searchParams.get('sessionId') ?? undefined);
}

function messagesOf(body: string | undefined): Json[] {
  try {
    // A byte order mark is let pass by the server, and by no parser.
    const parsed = JSON.parse(body?.replace(/^\uFEFF/, '') ?? '');
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch {
    return [];
  }
}

function remember(asked: Asked, id: string | number, method: string): void {
  asked.set(id, (asked.get(id) ?? new Set()).add(method));
}

function isKnown(revision: unknown): revision is SchemaRevision {
  return SCHEMA_REVISIONS.includes(revision as SchemaRevision);
}
