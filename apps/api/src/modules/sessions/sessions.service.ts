import type {
  CallCancelled,
  PageQuery,
  SessionDetail,
  SessionEnded,
  SessionMessagePage,
  SessionPage,
  SessionQuery,
} from '@gantry/contracts';
import { type Clock, declaredCapabilities, type SessionKey } from '@gantry/mcp-core';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { AppError, notFound } from '../../common/errors/app-error.js';
import { decodeCursor, pageOf } from '../../common/http/cursor.js';
import type { TenantCaller } from '../../common/http/request-context.js';
import { NodeCalls } from '../../infra/nodes/node-calls.js';
import { CLOCK } from '../../infra/tokens.js';
import { Mutations } from '../audit/mutations.js';
import { HostedServers } from '../tools/catalogue/hosted-servers.js';
import { byTime, type GatheredSession } from './view/gathered.js';
import { isStateless, LiveSessions } from './view/live-sessions.js';
import { NodeSessions } from './view/node-sessions.js';
import {
  type AskCancel,
  type AskOne,
  CANCEL,
  type CancelAnswer,
  END_CLIENT,
  LET_GO,
  type LetGo,
} from './view/node-words.js';
import { sessionPage, sessionPositionSchema } from './view/session-pages.js';
import { callOfId } from './view/session-rows.js';

/** How long nodes have to confirm, and how long one of them waits for work to stop. */
const CONFIRM_MS = 5_000;
const STOP_MS = 4_000;

const messagePositionSchema = z.strictObject({
  at: z.string().max(40),
  node: z.string().max(64),
  sequence: z.number(),
});

/** Live sessions and stateless clients of a tenant, for the people who look after them. */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(LiveSessions) private readonly live: LiveSessions,
    @Inject(NodeSessions) private readonly here: NodeSessions,
    @Inject(NodeCalls) private readonly nodes: NodeCalls,
    @Inject(HostedServers) private readonly hosted: HostedServers,
    @Inject(Mutations) private readonly mutations: Mutations,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  list({ tenant }: TenantCaller, { limit, cursor, ...filter }: SessionQuery): Promise<SessionPage> {
    const from = decodeCursor(cursor, sessionPositionSchema);
    return sessionPage(this.live, this.clock, { tenantId: tenant.id, filter, limit, from });
  }

  async get({ tenant }: TenantCaller, id: string): Promise<SessionDetail> {
    const { item, nodes, record, silent, ...found } = await this.require(tenant.id, id);
    const served = await this.hosted.get(tenant.slug, item.server);
    return {
      ...item,
      clientCapabilities: found.clientCapabilities,
      serverCapabilities: served === undefined ? {} : { ...declaredCapabilities(served.snapshot, item.revision) },
      ...(record && { logLevel: record.logLevel, expiresAt: new Date(record.expiresAt).toISOString() }),
      nodes: [...nodes],
      inFlightCalls: [...found.inFlightCalls],
      openStreams: [...found.openStreams],
      silentNodes: [...silent],
    };
  }

  async messages({ tenant }: TenantCaller, id: string, { limit, cursor }: PageQuery): Promise<SessionMessagePage> {
    const after = decodeCursor(cursor, messagePositionSchema);
    await this.require(tenant.id, id);
    const { messages, dropped, silent } = await this.live.messages(tenant.id, id);
    const rest = messages.filter((one) => after === undefined || byTime(one, after) > 0);
    const page = pageOf(
      rest,
      limit,
      (message) => message,
      ({ at, node, sequence }) => ({ at, node, sequence }),
    );
    return { ...page, dropped, silentNodes: [...silent] };
  }

  /** Ends a session, or what a stateless client has open, on every node; answers with what each let go of. */
  async end(caller: TenantCaller, id: string): Promise<SessionEnded> {
    return isStateless(id) ? this.endClient(caller, id) : this.endSession(caller, id);
  }

  /** Stops a request on whatever node runs it; resolves when its work has stopped. */
  async cancel(caller: TenantCaller, id: string, call: string): Promise<CallCancelled> {
    const tenantId = caller.tenant.id;
    const { inFlightCalls, silent } = await this.require(tenantId, id);
    const named = callOfId(call);
    const runs = inFlightCalls.some((one) => one.id === call);
    if (named === undefined || !(runs || silent.includes(named.node)))
      return { cancelled: false, silentNodes: [...silent] };
    await this.record(caller, 'call.cancel', id, { call });
    const { node, callId } = named;
    const ask: AskCancel = { tenantId, id, callId, withinMs: STOP_MS };
    const answer = await this.nodes.ask<CancelAnswer | null>(node, CANCEL, ask, CONFIRM_MS);
    if (answer === 'silent') {
      throw new AppError('node_silent', `Node ${node} has not answered: the request may have been cancelled or not.`);
    }
    if (answer === null) return { cancelled: false, silentNodes: [...silent] };
    if (!answer.stopped) {
      throw new AppError('node_silent', `The request was told to stop and still ran after ${STOP_MS / 1_000} s.`);
    }
    return { cancelled: true, node, silentNodes: [] };
  }

  private async endSession(caller: TenantCaller, id: string): Promise<SessionEnded> {
    const held = await this.live.held(caller.tenant.id, id);
    if (held === undefined) throw notFound('session');
    const { key, byNode } = held;
    // Written before it is done: a node may carry out what it does not live to confirm.
    await this.record(caller, 'session.end', id);
    const { endpoint } = this.here;
    if (!(await endpoint.view.remove(key))) throw notFound('session');
    const { answers, silent } = await this.nodes.askAll<LetGo | null>(LET_GO, key satisfies SessionKey, CONFIRM_MS);
    // Nodes that were not heard may hear this.
    await endpoint.endSession(key);
    // A node may have seen that the session was gone, and let go, before it was asked to.
    const nodes = [...answers].flatMap(([node, had]) => {
      const before = byNode.get(node);
      if (had === null && before === undefined) return [];
      const most = (what: keyof LetGo) => Math.max(had?.[what] ?? 0, before?.[what] ?? 0);
      return [{ node, calls: most('calls'), streams: most('streams') }];
    });
    return { ended: true, nodes, silentNodes: [...silent] };
  }

  private async endClient(caller: TenantCaller, id: string): Promise<SessionEnded> {
    await this.require(caller.tenant.id, id);
    await this.record(caller, 'client.end', id);
    const ask: AskOne = { tenantId: caller.tenant.id, id };
    const { answers, silent } = await this.nodes.askAll<LetGo | null>(END_CLIENT, ask, CONFIRM_MS);
    const nodes = [...answers].flatMap(([node, had]) => (had === null ? [] : [{ node, ...had }]));
    return { ended: true, nodes, silentNodes: [...silent] };
  }

  private async require(tenantId: string, id: string): Promise<GatheredSession> {
    const found = await this.live.one(tenantId, id);
    if (found === undefined) throw notFound('session');
    return found;
  }

  private record({ tenant, ...author }: TenantCaller, action: string, id: string, detail?: object): Promise<void> {
    return this.mutations.inTenant(tenant.id, author, ({ record }) =>
      record({
        action,
        object: `session/${id}`,
        tenantId: tenant.id,
        changes: [],
        ...(detail && { detail: { ...detail } }),
      }),
    );
  }
}
