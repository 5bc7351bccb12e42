import type { SessionMessage } from '@gantry/contracts';
import type { Clock, SessionKey, SessionRecord } from '@gantry/mcp-core';
import type { Gathered, NodeCalls } from '../../../infra/nodes/node-calls.js';
import { serverKey } from '../../tools/catalogue/snapshot.js';
import { tenantScope } from '../session-scopes.js';
import {
  byTime,
  type GatheredMessages,
  type GatheredSession,
  type HeldKey,
  type SessionPart,
  type Shown,
} from './gathered.js';
import type { NodeSessions } from './node-sessions.js';
import {
  type AskClients,
  type AskFacts,
  type AskMessages,
  type AskOne,
  type AskSome,
  CLIENTS,
  type ClientFacts,
  type ClientsAnswer,
  FACTS,
  type FactsAnswer,
  FIND,
  FIND_CLIENT,
  type FoundClient,
  type FoundSession,
  type HeldFacts,
  type LetGo,
  MESSAGES,
  type MessagesAnswer,
  SOME,
  type SomeAnswer,
} from './node-words.js';
import type { ServerNames } from './server-names.js';
import {
  callRow,
  clientRow,
  type FactsByNode,
  listenRow,
  type ShownSession,
  sessionRow,
  streamRow,
} from './session-rows.js';

/** How long nodes have to say what they hold. */
export const GATHER_MS = 1_000;
/** How many sessions nodes are asked about at once: what a question between nodes holds. */
export const ASK_AT_ONCE = 200;
const SCAN_PAGE = 500;
/** Answers of 500 clients that one listing takes of one node. */
const CLIENT_ROUNDS = 3;

export interface LiveSessionsParts {
  readonly here: NodeSessions;
  readonly nodes: NodeCalls;
  readonly servers: ServerNames;
  readonly clock: Clock;
}

const NONE: Shown<ShownSession> = { shown: [], silent: [] };

export const isStateless = (id: string) => id.startsWith('stateless:');

/** Sessions and stateless clients of a tenant, as the store and all nodes know them. */
export class LiveSessions {
  /** Of one tenant one at a time: whoever asks for names that are none keeps nobody else from the store. */
  private readonly searches = new Map<string, Promise<SessionRecord | undefined>>();

  constructor(private readonly parts: LiveSessionsParts) {}

  /** Sessions of a tenant in the order they were opened, or of one of its servers. */
  async stored(
    tenantId: string,
    server: string | undefined,
    limit: number,
    after: string | undefined,
  ): Promise<SessionPart> {
    const serverId = server === undefined ? undefined : await this.parts.servers.idOf(tenantId, server);
    if (server !== undefined && serverId === undefined) return { items: [], next: undefined };
    const scope = serverId === undefined ? tenantScope(tenantId) : serverKey({ tenantId, serverId });
    return this.parts.here.endpoint.listSessions(scope, limit, after);
  }

  /** Records with what the nodes hold of each, in their order; at most `ASK_AT_ONCE`. */
  async rows(tenantId: string, records: readonly SessionRecord[]): Promise<Shown<ShownSession>> {
    const keys = records.map(({ server, owner, id }): SessionKey => ({ server, owner, id }));
    const ask: AskFacts = { keys };
    const { answers, silent } = await this.gather<FactsAnswer>(FACTS, ask, keys.length > 0);
    const names = await this.parts.servers.of(tenantId, records);
    const now = this.parts.clock.now();
    const shown = records.map((record, at) => {
      const facts = new Map<string, NonNullable<FactsAnswer['facts'][number]> & { draining: boolean }>();
      for (const [node, { draining, facts: all }] of answers) {
        const one = all[at];
        if (one) facts.set(node, { ...one, draining });
      }
      return sessionRow(record, facts, names(record), now);
    });
    return { shown, silent };
  }

  /** Stateless clients of a tenant over all nodes, by id. */
  async clients(tenantId: string, ids?: readonly string[]): Promise<Shown<ShownSession>> {
    const byId = new Map<string, Map<string, ClientFacts & { draining: boolean }>>();
    let silent: readonly string[] = [];
    for (let round = 0; round < CLIENT_ROUNDS; round += 1) {
      const ask: AskClients = { tenantId, skip: round * 500, ids };
      const gathered = await this.gather<ClientsAnswer>(CLIENTS, ask, true);
      silent = [...new Set([...silent, ...gathered.silent])];
      for (const [node, { draining, clients }] of gathered.answers) {
        for (const client of clients) {
          const nodes = byId.get(client.id) ?? new Map();
          byId.set(client.id, nodes.set(node, { ...client, draining }));
        }
      }
      if (![...gathered.answers.values()].some(({ more }) => more)) break;
    }
    const all = [...byId.values()];
    const names = await this.parts.servers.of(
      tenantId,
      all.flatMap((nodes) => [...nodes.values()].slice(0, 1)),
    );
    const now = this.parts.clock.now();
    const shown = all.map((nodes) => clientRow(nodes, names([...nodes.values()][0] as ClientFacts), now));
    return { shown: shown.sort((a, b) => (a.item.id < b.item.id ? -1 : 1)), silent };
  }

  /** One session or client with all that nodes hold of it; undefined when there is none in this tenant. */
  async one(tenantId: string, id: string): Promise<GatheredSession | undefined> {
    return isStateless(id) ? this.oneClient(tenantId, id) : this.oneSession(tenantId, id);
  }

  /** The full name of a tenant's session that lives, and what each node holds of it. */
  async held(tenantId: string, id: string): Promise<HeldKey | undefined> {
    const { answers } = await this.gather<FoundSession | null>(FIND, { tenantId, id } satisfies AskOne, true);
    const found = await this.recordOf(tenantId, id, answers);
    if (found === undefined) return undefined;
    const { server, owner } = found;
    const byNode = new Map<string, LetGo>();
    for (const [node, one] of answers) if (one) byNode.set(node, { calls: one.inFlight, streams: one.streams });
    return { key: { server, owner, id }, byNode };
  }

  /** Rows of some sessions and clients, by id; those that no node knows are not among them. */
  async some(tenantId: string, ids: readonly string[]): Promise<Shown<ShownSession>> {
    const [clients, sessions] = [ids.filter(isStateless), ids.filter((id) => !isStateless(id))];
    const [a, b] = await Promise.all([
      sessions.length === 0 ? NONE : this.someSessions(tenantId, sessions),
      clients.length === 0 ? NONE : this.clients(tenantId, clients),
    ]);
    return { shown: [...a.shown, ...b.shown], silent: [...new Set([...a.silent, ...b.silent])] };
  }

  private async someSessions(tenantId: string, ids: readonly string[]): Promise<Shown<ShownSession>> {
    const ask: AskSome = { tenantId, ids };
    const { answers, silent } = await this.gather<SomeAnswer>(SOME, ask, true);
    const records = new Map<string, SessionRecord>();
    for (const { found } of answers.values()) {
      for (const { record } of found) {
        const before = records.get(record.id);
        if (before === undefined || before.lastSeenAt < record.lastSeenAt) records.set(record.id, record);
      }
    }
    const names = await this.parts.servers.of(tenantId, [...records.values()]);
    const now = this.parts.clock.now();
    const shown = [...records.values()].map((record) => {
      const facts = new Map<string, HeldFacts & { draining: boolean }>();
      for (const [node, { draining, found }] of answers) {
        const one = found.find((held) => held.record.id === record.id);
        if (one) facts.set(node, { ...one, draining });
      }
      return sessionRow(record, facts, names(record), now);
    });
    return { shown, silent };
  }

  /**
   * What the nodes kept of the messages of a session, in the order of their clocks.
   * @param after of each node the last message that is known already
   */
  async messages(tenantId: string, id: string, after?: ReadonlyMap<string, number>): Promise<GatheredMessages> {
    const ask: AskMessages = { tenantId, id, after: after && Object.fromEntries(after) };
    const { answers, silent } = await this.gather<MessagesAnswer>(MESSAGES, ask, true);
    const messages: SessionMessage[] = [];
    let dropped = 0;
    for (const [node, answer] of answers) {
      dropped += answer.dropped;
      for (const { at, ...message } of answer.messages) {
        messages.push({ ...message, at: new Date(at).toISOString(), node });
      }
    }
    return { messages: messages.sort(byTime), dropped, silent };
  }

  private async oneSession(tenantId: string, id: string): Promise<GatheredSession | undefined> {
    const { answers, silent } = await this.gather<FoundSession | null>(FIND, { tenantId, id } satisfies AskOne, true);
    const record = await this.recordOf(tenantId, id, answers);
    if (record === undefined) return undefined;
    const facts: FactsByNode = new Map([...answers].flatMap(([node, one]) => (one === null ? [] : [[node, one]])));
    const found = [...answers].flatMap(([node, one]) => (one === null ? [] : [{ node, one }]));
    const names = await this.parts.servers.of(tenantId, [record]);
    return {
      ...sessionRow(record, facts, names(record), this.parts.clock.now()),
      record,
      clientCapabilities: { ...record.client.capabilities },
      inFlightCalls: found.flatMap(({ node, one }) => one.calls.map((call) => callRow(call, node))),
      openStreams: found.flatMap(({ node, one }) => one.openStreams.map((stream) => streamRow(stream, node))),
      silent,
    };
  }

  private async oneClient(tenantId: string, id: string): Promise<GatheredSession | undefined> {
    const ask: AskOne = { tenantId, id };
    const { answers, silent } = await this.gather<FoundClient | null>(FIND_CLIENT, ask, true);
    const found = [...answers].flatMap(([node, one]) => (one === null ? [] : [{ node, one }]));
    const [first] = found;
    if (first === undefined) return undefined;
    const byNode = new Map(found.map(({ node, one }) => [node, { ...one.client, draining: one.draining }]));
    const names = await this.parts.servers.of(tenantId, [first.one.client]);
    return {
      ...clientRow(byNode, names(first.one.client), this.parts.clock.now()),
      record: undefined,
      clientCapabilities: { ...first.one.capabilities },
      inFlightCalls: found.flatMap(({ node, one }) => one.running.map((call) => callRow(call, node))),
      openStreams: found.flatMap(({ node, one }) => one.listens.map((call) => listenRow(call, node))),
      silent,
    };
  }

  /** As it is stored. A session that no node has in memory is looked for in the list of its tenant. */
  private async recordOf(
    tenantId: string,
    id: string,
    answers: ReadonlyMap<string, FoundSession | null>,
  ): Promise<SessionRecord | undefined> {
    const { endpoint } = this.parts.here;
    for (const found of answers.values()) if (found !== null) return endpoint.view.stored(found.record);
    const before = this.searches.get(tenantId) ?? Promise.resolve();
    const search = before.catch(() => undefined).then(() => this.search(tenantId, id));
    this.searches.set(tenantId, search);
    return search.finally(() => {
      if (this.searches.get(tenantId) === search) this.searches.delete(tenantId);
    });
  }

  private async search(tenantId: string, id: string): Promise<SessionRecord | undefined> {
    let after: string | undefined;
    do {
      const page = await this.parts.here.endpoint.listSessions(tenantScope(tenantId), SCAN_PAGE, after);
      const record = page.items.find((one) => one.id === id);
      if (record !== undefined) return record;
      after = page.next;
    } while (after !== undefined);
    return undefined;
  }

  private gather<T>(operation: string, body: unknown, needed: boolean): Promise<Gathered<T>> {
    if (!needed) return Promise.resolve({ answers: new Map(), silent: [] });
    return this.parts.nodes.askAll<T>(operation, body, GATHER_MS);
  }
}
