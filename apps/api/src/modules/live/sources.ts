import type { Call, GantryNode, SessionMessage } from '@gantry/contracts';
import type { RecentCalls } from '../calls/recent-calls.js';
import type { JobsAdminService } from '../jobs/api/jobs-admin.service.js';
import type { NodeRegistry } from '../nodes/node-registry.js';
import type { LiveSessions } from '../sessions/view/live-sessions.js';
import type { FeedSource } from './topic-feed.js';

/** Rows of a snapshot. */
const ROWS = 200;
const MESSAGES = 200;

/** What is watched, by names that tenants cannot make up. */
export const matters = {
  nodes: 'nodes',
  sessions: (tenantId: string) => `sessions:${tenantId}`,
  calls: (tenantId: string) => `calls:${tenantId}`,
  jobs: (tenantId: string) => `jobs:${tenantId}`,
  session: (tenantId: string, id: string) => `session:${tenantId}/${id}`,
};

/** The hint that a session is over. */
export const ENDED = 'ended';

/** Sessions and stateless clients of a tenant. */
export function sessionsSource(live: LiveSessions, tenantId: string): FeedSource {
  return {
    async snapshot() {
      const { items: records, next } = await live.stored(tenantId, undefined, ROWS, undefined);
      const [sessions, clients] = await Promise.all([live.rows(tenantId, records), live.clients(tenantId)]);
      const rows = [...sessions.shown, ...clients.shown].slice(0, ROWS).map(({ item }) => item);
      const more = next !== undefined || sessions.shown.length + clients.shown.length > ROWS;
      return { items: rows, more, silentNodes: [...new Set([...sessions.silent, ...clients.silent])] };
    },
    async delta({ items }) {
      const over = [...items].filter(([, value]) => value === ENDED).map(([id]) => id);
      const asked = [...items.keys()].filter((id) => !over.includes(id));
      const { shown } = await live.some(tenantId, asked);
      const upserted = shown.map(({ item }) => item);
      // What no node names may be over, or of a node that is slow or not known here yet: the store says which.
      const partial = upserted.length < asked.length;
      return { body: { upserted, removed: over }, shown: upserted.length + over.length, partial };
    },
  };
}

/** One session with what runs and is open, and its messages as they pass. */
export function sessionSource(live: LiveSessions, tenantId: string, id: string): FeedSource {
  const known = new Map<string, number>();
  const learn = (messages: readonly SessionMessage[]) => {
    for (const { node, sequence } of messages) known.set(node, Math.max(known.get(node) ?? 0, sequence));
  };
  const state = async () => {
    const found = await live.one(tenantId, id);
    return {
      ...(found && { session: found.item }),
      inFlightCalls: found?.inFlightCalls ?? [],
      openStreams: found?.openStreams ?? [],
      silentNodes: found?.silent ?? [],
    };
  };
  return {
    async snapshot() {
      const [now, { messages }] = await Promise.all([state(), live.messages(tenantId, id)]);
      learn(messages);
      return { ...now, messages: messages.slice(-MESSAGES) };
    },
    async delta() {
      const [now, { messages }] = await Promise.all([state(), live.messages(tenantId, id, known)]);
      learn(messages);
      return { body: { ...now, messages: messages.slice(-MESSAGES) }, shown: messages.length };
    },
  };
}

/** Finished calls of a tenant; hints bring them along. */
export function callsSource(calls: RecentCalls, tenantId: string): FeedSource {
  return {
    async snapshot() {
      const rows = await calls.latest(tenantId, ROWS + 1);
      return { items: rows.slice(0, ROWS), more: rows.length > ROWS, silentNodes: [] };
    },
    async delta({ items }) {
      const upserted = [...items.values()] as Call[];
      return { body: { upserted, removed: [] }, shown: upserted.length };
    },
  };
}

/** Jobs of a tenant; hints name them, and what they are now is read. */
export function jobsSource(jobs: JobsAdminService, tenantId: string, payloads: boolean): FeedSource {
  return {
    async snapshot() {
      const rows = await jobs.latest(tenantId, ROWS + 1, payloads);
      return { items: rows.slice(0, ROWS), more: rows.length > ROWS, silentNodes: [] };
    },
    async delta({ items }) {
      const upserted = await jobs.some(tenantId, [...items.keys()], payloads);
      return { body: { upserted, removed: [] }, shown: upserted.length };
    },
  };
}

/** The nodes that serve. */
export function nodesSource(registry: NodeRegistry): FeedSource {
  let listed: ReadonlySet<string> = new Set();
  const all = async (): Promise<readonly GantryNode[]> => {
    const nodes = await registry.list();
    listed = new Set(nodes.map(({ id }) => id));
    return nodes;
  };
  return {
    async snapshot() {
      return { items: await all(), more: false, silentNodes: [] };
    },
    async delta() {
      const before = listed;
      const upserted = await all();
      const removed = [...before].filter((id) => !listed.has(id));
      return { body: { upserted, removed }, shown: upserted.length + removed.length };
    },
  };
}
