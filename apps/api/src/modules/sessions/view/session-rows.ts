import type { InFlightCall, Session, SessionQuery, SessionState, SessionStream } from '@gantry/contracts';
import type { OpenStream, SessionRecord } from '@gantry/mcp-core';
import type { ClientFacts, HeldFacts, WireCall } from './node-words.js';

/** A client that said something within this time is there. */
const ACTIVE_MS = 60_000;

/** What nodes say of one session, by node. */
export type FactsByNode = ReadonlyMap<string, HeldFacts & { readonly draining: boolean }>;

/** A session or client as it is shown, with the nodes that hold something of it. */
export interface ShownSession {
  readonly item: Session;
  readonly nodes: readonly string[];
}

const iso = (at: number) => new Date(at).toISOString();
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

export function sessionRow(record: SessionRecord, facts: FactsByNode, server: string, now: number): ShownSession {
  const all = [...facts.values()];
  const holders = [...facts].filter(([, { inFlight, streams }]) => inFlight + streams > 0);
  const latest = [...facts].sort(([, a], [, b]) => (b.counts?.lastAt ?? 0) - (a.counts?.lastAt ?? 0))[0];
  const lastSeenAt = Math.max(record.lastSeenAt, ...all.map(({ counts }) => counts?.lastAt ?? 0));
  const inFlight = sum(all.map((one) => one.inFlight));
  const item: Session = {
    id: record.id,
    era: record.transport === 'http+sse' ? 'http+sse' : 'session',
    revision: record.client.revision,
    server,
    client: named(record.client),
    principal: record.owner,
    node: latest?.[0] ?? record.node,
    state: stateOf(
      holders.map(([, one]) => one),
      inFlight,
      lastSeenAt,
      now,
    ),
    createdAt: iso(record.createdAt),
    lastSeenAt: iso(lastSeenAt),
    inFlight,
    streams: sum(all.map((one) => one.streams)),
    calls: sum(all.map(({ counts }) => counts?.calls ?? 0)),
    errors: sum(all.map(({ counts }) => counts?.errors ?? 0)),
  };
  return { item, nodes: [...facts.keys()] };
}

/** One client as several nodes know it. */
export type ClientByNode = ReadonlyMap<string, ClientFacts & { readonly draining: boolean }>;

export function clientRow(byNode: ClientByNode, server: string, now: number): ShownSession {
  const all = [...byNode].sort(([, a], [, b]) => b.lastAt - a.lastAt);
  const [node, latest] = all[0] as [string, ClientFacts & { draining: boolean }];
  const facts = all.map(([, one]) => one);
  const inFlight = sum(facts.map((one) => one.inFlight));
  const holders = facts.filter((one) => one.inFlight + one.streams > 0);
  const item: Session = {
    id: latest.id,
    era: 'stateless',
    revision: latest.revision,
    server,
    client: named(latest),
    principal: latest.owner,
    node,
    state: stateOf(holders, inFlight, latest.lastAt, now),
    createdAt: iso(Math.min(...facts.map(({ firstAt }) => firstAt))),
    lastSeenAt: iso(latest.lastAt),
    inFlight,
    streams: sum(facts.map((one) => one.streams)),
    calls: sum(facts.map(({ calls }) => calls)),
    errors: sum(facts.map(({ errors }) => errors)),
  };
  return { item, nodes: all.map(([name]) => name) };
}

export type SessionFilter = Pick<SessionQuery, 'server' | 'client' | 'node' | 'era' | 'state' | 'q'>;

/** Whether a row is one of those that were asked for. */
export function matches({ item, nodes }: ShownSession, filter: SessionFilter): boolean {
  const { server, client, node, era, state, q } = filter;
  if (server !== undefined && item.server !== server) return false;
  if (client !== undefined && item.client.name !== client) return false;
  if (node !== undefined && item.node !== node && !nodes.includes(node)) return false;
  if (era !== undefined && item.era !== era) return false;
  if (state !== undefined && item.state !== state) return false;
  if (q === undefined) return true;
  const { id, principal, client: said } = item;
  const words = [id, said.name, said.version, principal, item.server].join('\n').toLowerCase();
  return words.includes(q.toLowerCase());
}

export function callRow(
  { callId, requestId, method, tool, startedAt, progress }: WireCall,
  node: string,
): InFlightCall {
  return {
    id: `${node}.${callId}`,
    requestId,
    method,
    ...(tool === undefined ? {} : { tool }),
    startedAt: iso(startedAt),
    node,
    ...(progress === undefined ? {} : { progress }),
  };
}

/** The node and the number that an id of `callRow` names; undefined for what is none. */
export function callOfId(id: string): { node: string; callId: number } | undefined {
  const [, node, number] = /^(.{1,64})\.([1-9]\d{0,15})$/.exec(id) ?? [];
  return node === undefined ? undefined : { node, callId: Number(number) };
}

export function streamRow({ stream, kind, openedAt, events }: OpenStream, node: string): SessionStream {
  return { stream, kind, node, openedAt: iso(openedAt), events };
}

/** A listen stream of a stateless client. */
export function listenRow({ callId, startedAt }: WireCall, node: string): SessionStream {
  return { stream: `${node}.${callId}`, kind: 'listen', node, openedAt: iso(startedAt), events: 0 };
}

function named({ name, version }: { readonly name?: string | undefined; readonly version?: string | undefined }) {
  return { ...(name === undefined ? {} : { name }), ...(version === undefined ? {} : { version }) };
}

function stateOf(
  holders: readonly { readonly draining: boolean }[],
  inFlight: number,
  lastSeenAt: number,
  now: number,
): SessionState {
  if (holders.length > 0 && holders.every(({ draining }) => draining)) return 'draining';
  return inFlight > 0 || now - lastSeenAt < ACTIVE_MS ? 'active' : 'idle';
}
