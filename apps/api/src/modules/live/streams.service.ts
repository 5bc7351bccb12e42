import type { ServerResponse } from 'node:http';
import type { CloseFrame, Topic } from '@gantry/contracts';
import type { Clock, Timer } from '@gantry/mcp-core';
import { actorOf, type Principal } from '../../common/auth/principal.js';
import { AppError, tooMany } from '../../common/errors/app-error.js';
import type { ChangeLogFollower, ChangeLogRow } from '../../infra/changes/change-log-follower.js';
import type { Log } from '../../infra/tokens.js';
import type { NodeSelf } from '../nodes/node-self.js';
import type { Feeds } from './feeds.js';
import type { Grant, StreamAccess } from './stream-access.js';
import { decodePositions, StreamConnection } from './stream-connection.js';

const PER_PRINCIPAL = 20;
const PER_NODE = 1_000;
/** Whatever ends rights without a word in the change log, as time does. */
const RECHECK_MS = 60_000;

export interface StreamRequest {
  readonly authorization: string | undefined;
  readonly address: string;
  readonly topics: readonly Topic[];
  readonly lastEventId: string | undefined;
  readonly requestId: string;
}

interface Open {
  readonly request: StreamRequest;
  readonly connection: StreamConnection;
  grant: Grant;
  recheck: Timer | undefined;
}

export interface StreamsParts {
  readonly access: StreamAccess;
  readonly feeds: Feeds;
  readonly follower: ChangeLogFollower;
  readonly self: NodeSelf;
  readonly clock: Clock;
  readonly log: Log;
}

/** The live streams that are open on this node: bounded, and closed at once when their reader may not read any more. */
export class Streams {
  private readonly open = new Set<Open>();
  private readonly stops: readonly (() => void)[];

  constructor(private readonly parts: StreamsParts) {
    const { follower, self } = parts;
    this.stops = [
      follower.on('key', (row) => this.recheckWhere(({ grant: { principal } }) => isKey(principal, row))),
      follower.on('session', (row) => this.recheckWhere(({ grant: { principal } }) => isSession(principal, row))),
      follower.on('tenant', (row) => this.recheckWhere(({ grant }) => isAbout(grant, row))),
      follower.onLost(() => this.recheckWhere(() => true)),
      self.onDrain((drained) => drained && this.closeAll('drain')),
    ];
  }

  get size(): number {
    return this.open.size;
  }

  /** Who may read, before anything is answered. @throws AppError */
  async admit(request: StreamRequest): Promise<Grant> {
    if (this.parts.self.stopping) throw new AppError('unavailable', 'This node is about to stop.');
    const grant = await this.parts.access.grant(request.authorization, request.address, request.topics);
    if (this.open.size >= PER_NODE) throw new AppError('unavailable', 'This node has as many streams as it may have.');
    const reader = readerOf(grant.principal);
    const own = [...this.open].filter((one) => readerOf(one.grant.principal) === reader).length;
    if (own >= PER_PRINCIPAL) throw tooMany('rate_limited', `You have ${PER_PRINCIPAL} live streams open.`, 5_000);
    return grant;
  }

  start(request: StreamRequest, grant: Grant, raw: ServerResponse): void {
    const { clock, feeds } = this.parts;
    const connection = new StreamConnection(raw, clock, request.requestId);
    const open: Open = { request, connection, grant, recheck: undefined };
    this.open.add(open);
    connection.onOver = () => {
      open.recheck?.cancel();
      this.open.delete(open);
    };
    if (raw.destroyed) return connection.onOver();
    connection.show(
      grant.topics.map((topic) => feeds.of(topic)),
      decodePositions(request.lastEventId),
    );
    this.recheckLater(open);
    // Rights may have changed between the check and here.
    void this.recheck(open);
  }

  closeAll(reason: CloseFrame['reason']): void {
    for (const { connection } of [...this.open]) connection.close(reason);
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.closeAll('drain');
  }

  private recheckWhere(matches: (open: Open) => boolean): void {
    const meant = [...this.open].filter(matches);
    // What others remember of a credential is forgotten by then: they hear of the same change.
    if (meant.length > 0) queueMicrotask(() => meant.forEach((open) => void this.recheck(open)));
  }

  private recheckLater(open: Open): void {
    const { principal } = open.grant;
    const until = principal.kind === 'key' ? principal.validUntil : undefined;
    const left = until === undefined ? RECHECK_MS : until - this.parts.clock.now();
    open.recheck = this.parts.clock.setTimer(Math.max(0, Math.min(left, RECHECK_MS)), () => {
      void this.recheck(open).then(() => {
        if (this.open.has(open)) this.recheckLater(open);
      });
    });
  }

  private async recheck(open: Open): Promise<void> {
    const { authorization, address, topics } = open.request;
    try {
      const grant = await this.parts.access.grant(authorization, address, topics);
      const same = grant.topics.every(({ matter, view }, at) => {
        const before = open.grant.topics[at];
        return matter === before?.matter && view === before.view;
      });
      open.grant = grant;
      if (!same) open.connection.close('revoked');
    } catch (error) {
      const refused = error instanceof AppError && ['unauthenticated', 'forbidden', 'not_found'].includes(error.code);
      if (refused) open.connection.close('revoked');
      // The database may be away: whoever could read before goes on until it can be asked.
      else this.parts.log.warn({ err: error }, 'the rights behind a live stream could not be checked');
    }
  }
}

function readerOf(principal: Principal): string {
  return actorOf(principal);
}

function isKey(principal: Principal, { subject }: ChangeLogRow): boolean {
  return principal.kind === 'key' && principal.id === subject;
}

function isSession(principal: Principal, { subject }: ChangeLogRow): boolean {
  return principal.kind === 'user' && principal.sessionId === subject;
}

function isAbout({ principal, topics }: Grant, { tenantId }: ChangeLogRow): boolean {
  if (principal.kind === 'key' && principal.tenantId === tenantId) return true;
  return topics.some((topic) => topic.tenantId !== undefined && topic.tenantId === tenantId);
}
