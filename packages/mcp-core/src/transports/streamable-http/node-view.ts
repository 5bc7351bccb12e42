import { serverCapabilities } from '../../dispatch/capabilities.js';
import type { RequestContext } from '../../dispatch/request-context.js';
import type { RequestId } from '../../jsonrpc/messages.js';
import type { CatalogueSnapshot } from '../../ports/catalogue.js';
import type { MaybePromise, SessionKey, SessionRecord } from '../../ports/session-store.js';
import type { ClientInfo } from '../../ports/tool-runner.js';
import type { LiveSession } from '../../sessions/live-session.js';
import type { OpenStream } from '../../sessions/session-streams.js';
import { modernRevision, negotiate } from '../../wire/revisions.js';
import type { Exchange } from './exchange.js';
import type { EndpointServices } from './services.js';

/** Whose request it is: of which caller at which server, in which session if any. */
export interface RequestHolder {
  readonly server: string;
  readonly owner: string;
  readonly sessionId: string | undefined;
  readonly client: ClientInfo;
}

/** A request that runs on this node, as it is shown to people. */
export interface RunningCall extends RequestHolder {
  /** Names it on this node, for `cancel`. */
  readonly callId: number;
  readonly requestId: RequestId;
  readonly method: string;
  readonly tool: string | undefined;
  readonly startedAt: number;
  readonly progress: { readonly value: number; readonly total?: number; readonly message?: string } | undefined;
}

/** What this node has in memory of a session. */
export interface HeldSession {
  readonly record: SessionRecord;
  /** Requests running. */
  readonly inFlight: number;
  readonly streams: readonly OpenStream[];
}

/** What a node let go of. */
export interface LetGo {
  readonly calls: number;
  readonly streams: number;
}

/** What one node runs and holds, for the people who look after it. */
export class NodeView {
  constructor(
    private readonly services: EndpointServices,
    private readonly active: ReadonlySet<Exchange>,
  ) {}

  /** A session as all nodes see it; undefined when it is over. */
  stored(key: SessionKey): MaybePromise<SessionRecord | undefined> {
    return this.services.sessions.stored(key);
  }

  /** Undefined when the session is not in this node's memory. */
  session(key: SessionKey): HeldSession | undefined {
    const live = this.services.sessions.held(key);
    return live && heldOf(live);
  }

  /** The first session in memory that is meant. */
  findSession(matches: (record: SessionRecord) => boolean): HeldSession | undefined {
    for (const live of this.services.sessions.live) if (matches(live.record)) return heldOf(live);
    return undefined;
  }

  /** All sessions in memory that are meant. */
  sessions(matches: (record: SessionRecord) => boolean): HeldSession[] {
    return [...this.services.sessions.live].filter(({ record }) => matches(record)).map(heldOf);
  }

  /** Requests that run, listen streams among them; at most `limit`. */
  calls(matches: (holder: RequestHolder, method: string, callId: number) => boolean, limit: number): RunningCall[] {
    const calls: RunningCall[] = [];
    for (const exchange of this.active) {
      if (calls.length === limit) break;
      if (matches(holderOf(exchange), exchange.request.method, exchange.callId)) calls.push(callOf(exchange));
    }
    return calls;
  }

  /**
   * Stops a request and tells its client why. Undefined when it runs here no more; else resolves when its work has
   * stopped, which the runner decides.
   */
  cancel(callId: number, reason: string): Promise<void> | undefined {
    for (const exchange of this.active) if (exchange.callId === callId) return exchange.stop(reason);
    return undefined;
  }

  /** Ends a session in the store alone; each node lets go of its part by `letGo`. False when there was none. */
  remove(key: SessionKey): MaybePromise<boolean> {
    return this.services.sessions.remove(key);
  }

  /** Ends what this node holds of a session that is over; undefined when it holds nothing. */
  letGo(key: SessionKey): LetGo | undefined {
    const { sessions } = this.services;
    const live = sessions.held(key);
    const had = live && { calls: live.running, streams: live.streams };
    sessions.letGo(key);
    return had;
  }

  /** Ends the listen streams and calls of stateless callers: streams with their result, calls with the reason. */
  endStateless(matches: (holder: RequestHolder) => boolean, reason: string): LetGo {
    const meant = (context: RequestContext) => context.session === undefined && matches(holderOf(context));
    const streams = this.services.listens.endWhere(meant);
    let calls = 0;
    for (const exchange of [...this.active]) {
      // A listen that was ended leaves with its result, in a moment.
      if (exchange.request.method === 'subscriptions/listen' || !meant(exchange)) continue;
      calls++;
      void exchange.stop(reason);
    }
    return { calls, streams };
  }
}

/** What a server declares to clients of a revision, where its host keeps jobs. */
export function declaredCapabilities(snapshot: CatalogueSnapshot, revision: string): Readonly<Record<string, unknown>> {
  return serverCapabilities({ snapshot, jobs: true }, modernRevision(revision) ?? negotiate(revision));
}

function heldOf(live: LiveSession): HeldSession {
  return { record: live.record, inFlight: live.running, streams: live.openStreams };
}

function holderOf({ host, session, client }: RequestContext): RequestHolder {
  return { server: host.server, owner: host.owner, sessionId: session?.id, client };
}

function callOf(exchange: Exchange): RunningCall {
  const { callId, request, tool, startedAt, progress } = exchange;
  return {
    ...holderOf(exchange),
    callId,
    requestId: request.id,
    method: request.method,
    tool,
    startedAt,
    progress: progress && {
      value: progress.progress as number,
      ...(progress.total === undefined ? {} : { total: progress.total as number }),
      ...(progress.message === undefined ? {} : { message: progress.message as string }),
    },
  };
}
