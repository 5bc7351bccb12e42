import type { Clock, McpEndpoint, RequestHolder, RunningCall, SessionKey } from '@gantry/mcp-core';
import type { NodeCalls } from '../../../infra/nodes/node-calls.js';
import { tenantOfKey } from '../../tools/catalogue/snapshot.js';
import {
  type AskCancel,
  type AskClients,
  type AskFacts,
  type AskMessages,
  type AskOne,
  type AskSome,
  CANCEL,
  type CancelAnswer,
  CLIENTS,
  type ClientFacts,
  type ClientsAnswer,
  END_CLIENT,
  FACTS,
  type FactsAnswer,
  FIND,
  FIND_CLIENT,
  type FoundClient,
  type FoundSession,
  type HeldFacts,
  LET_GO,
  type LetGo,
  MESSAGES,
  type MessagesAnswer,
  SOME,
  type SomeAnswer,
  type WireCall,
} from './node-words.js';
import { type StatelessClient, type StatelessClients, statelessId } from './stateless-clients.js';
import type { TraceRings } from './trace-rings.js';

/** Of one session in one answer. */
const CALLS_MAX = 200;
/** What one answer between nodes holds of clients. */
const CLIENTS_AT_ONCE = 500;
const LISTEN = 'subscriptions/listen';
export const CANCELLED = 'The request was cancelled by an administrator of this server';
const ENDED = 'An administrator of this server has ended what this client had open';

export interface NodeSessionsParts {
  readonly nodeId: string;
  readonly rings: TraceRings;
  readonly clients: StatelessClients;
  readonly clock: Clock;
  readonly draining: () => boolean;
}

/** The part of the endpoint that the view looks through. */
export type ViewedEndpoint = Pick<McpEndpoint, 'view' | 'listSessions' | 'endSession'>;

/** This node's sessions and stateless clients, and what it answers about them to whichever node asks. */
export class NodeSessions {
  private viewed: ViewedEndpoint | undefined;

  constructor(private readonly parts: NodeSessionsParts) {}

  /** Tells what serves on this node. */
  serve(endpoint: ViewedEndpoint): void {
    this.viewed = endpoint;
  }

  /** @throws when nothing serves yet */
  get endpoint(): ViewedEndpoint {
    if (this.viewed === undefined) throw new Error('this node serves no sessions yet');
    return this.viewed;
  }

  /** Answers the other nodes. */
  answer(calls: NodeCalls): void {
    calls.answer(FACTS, (body) => this.facts(body as AskFacts));
    calls.answer(FIND, (body) => this.find(body as AskOne));
    calls.answer(SOME, (body) => this.some(body as AskSome));
    calls.answer(MESSAGES, (body) => this.messages(body as AskMessages));
    calls.answer(LET_GO, (body) => this.letGo(body as SessionKey));
    calls.answer(CANCEL, (body) => this.cancel(body as AskCancel));
    calls.answer(CLIENTS, (body) => this.clients(body as AskClients));
    calls.answer(FIND_CLIENT, (body) => this.findClient(body as AskOne));
    calls.answer(END_CLIENT, (body) => this.endClient(body as AskOne));
  }

  private facts({ keys }: AskFacts): FactsAnswer {
    return { draining: this.parts.draining(), facts: keys.map((key) => this.factsOf(key)) };
  }

  private factsOf(key: SessionKey): HeldFacts | null {
    const held = this.endpoint.view.session(key);
    const counts = this.countsOf(key);
    if (held === undefined && counts === undefined) return null;
    return { inFlight: held?.inFlight ?? 0, streams: held?.streams.length ?? 0, counts };
  }

  private countsOf(key: SessionKey): HeldFacts['counts'] {
    const counts = this.parts.rings.counts(key);
    return counts && { calls: counts.calls, errors: counts.errors, lastAt: counts.lastAt };
  }

  private find({ tenantId, id }: AskOne): FoundSession | null {
    const { view } = this.endpoint;
    const held = view.findSession((record) => record.id === id && tenantOfKey(record.server) === tenantId);
    if (held === undefined) return null;
    const { record, inFlight, streams } = held;
    return {
      draining: this.parts.draining(),
      record,
      inFlight,
      streams: streams.length,
      counts: this.countsOf(record),
      calls: view
        .calls((holder) => holder.sessionId === id && holder.server === record.server, CALLS_MAX)
        .map(wireCall),
      openStreams: streams.slice(0, CALLS_MAX),
    };
  }

  private some({ tenantId, ids }: AskSome): SomeAnswer {
    const wanted = new Set(ids);
    const held = this.endpoint.view.sessions(({ id, server }) => wanted.has(id) && tenantOfKey(server) === tenantId);
    const found = held.map(({ record, inFlight, streams }) => ({
      record,
      inFlight,
      streams: streams.length,
      counts: this.countsOf(record),
    }));
    return { draining: this.parts.draining(), found };
  }

  private messages({ tenantId, id, after }: AskMessages): MessagesAnswer {
    const known = after?.[this.parts.nodeId] ?? 0;
    const { messages, dropped } = this.parts.rings.messages(tenantId, id);
    return { messages: known === 0 ? messages : messages.filter(({ sequence }) => sequence > known), dropped };
  }

  private letGo(key: SessionKey): LetGo | null {
    return this.endpoint.view.letGo(key) ?? null;
  }

  private async cancel({ tenantId, id, callId, withinMs }: AskCancel): Promise<CancelAnswer | null> {
    const { view } = this.endpoint;
    const [call] = view.calls((holder, _method, at) => at === callId && this.isOf(holder, tenantId, id), 1);
    if (call === undefined) return null;
    const stopping = view.cancel(callId, CANCELLED);
    if (stopping === undefined) return null;
    return { stopped: await this.inTime(stopping, withinMs) };
  }

  private isOf(holder: RequestHolder, tenantId: string, id: string): boolean {
    if (tenantOfKey(holder.server) !== tenantId) return false;
    return holder.sessionId === undefined ? statelessId(holder) === id : holder.sessionId === id;
  }

  private inTime(work: Promise<void>, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = this.parts.clock.setTimer(ms, () => resolve(false));
      work.then(() => {
        timer.cancel();
        resolve(true);
      });
    });
  }

  private clients({ tenantId, skip, ids }: AskClients): ClientsAnswer {
    const running = this.statelessCalls(tenantId);
    const all = this.parts.clients.list(tenantId);
    const known = ids === undefined ? all : all.filter(({ id }) => ids.includes(id));
    const some = known.slice(skip, skip + CLIENTS_AT_ONCE);
    return {
      draining: this.parts.draining(),
      clients: some.map((client) => clientFacts(client, running.get(client.id) ?? [])),
      more: known.length > skip + CLIENTS_AT_ONCE,
    };
  }

  private findClient({ tenantId, id }: AskOne): FoundClient | null {
    const client = this.parts.clients.find(tenantId, id);
    if (client === undefined) return null;
    const running = this.statelessCalls(tenantId).get(id) ?? [];
    const isListen = ({ method }: RunningCall) => method === LISTEN;
    return {
      draining: this.parts.draining(),
      client: clientFacts(client, running),
      capabilities: client.capabilities,
      running: running
        .filter((call) => !isListen(call))
        .slice(0, CALLS_MAX)
        .map(wireCall),
      listens: running.filter(isListen).slice(0, CALLS_MAX).map(wireCall),
    };
  }

  private endClient({ tenantId, id }: AskOne): LetGo | null {
    const { view } = this.endpoint;
    const known = this.parts.clients.find(tenantId, id) !== undefined;
    const had = view.endStateless((holder) => this.isOf(holder, tenantId, id), ENDED);
    return known || had.calls + had.streams > 0 ? had : null;
  }

  /** Running requests without a session, by the id of their client. */
  private statelessCalls(tenantId: string): ReadonlyMap<string, RunningCall[]> {
    const { view } = this.endpoint;
    const byClient = new Map<string, RunningCall[]>();
    const calls = view.calls(
      ({ server, sessionId }) => sessionId === undefined && tenantOfKey(server) === tenantId,
      Number.POSITIVE_INFINITY,
    );
    for (const call of calls) {
      const id = statelessId(call);
      const there = byClient.get(id);
      if (there === undefined) byClient.set(id, [call]);
      else there.push(call);
    }
    return byClient;
  }
}

function clientFacts(client: StatelessClient, running: readonly RunningCall[]): ClientFacts {
  const { capabilities: _, ...facts } = client;
  const streams = running.filter(({ method }) => method === LISTEN).length;
  return { ...facts, inFlight: running.length - streams, streams };
}

function wireCall({ callId, requestId, method, tool, startedAt, progress }: RunningCall): WireCall {
  return { callId, requestId, method, tool, startedAt, progress };
}
