import { hash } from 'node:crypto';
import type { ClientCapabilities, ClientInfo } from '@gantry/mcp-core';
import { tenantOfKey } from '../../tools/catalogue/snapshot.js';
import { type SessionListener, short } from './trace-rings.js';

const TENANT_MAX = 1_000;
const ALL_MAX = 20_000;
/** A client that was silent for longer is not there any more. */
const SILENT_MS = 30 * 60_000;

/** What makes stateless requests those of one client: the credential, what it calls itself, and the server. */
export interface StatelessCaller {
  readonly server: string;
  readonly owner: string;
  readonly client: Pick<ClientInfo, 'name' | 'version'>;
}

/** A stateless client as one node knows it. */
export interface StatelessClient {
  readonly id: string;
  readonly server: string;
  readonly owner: string;
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  revision: string;
  capabilities: ClientCapabilities;
  readonly firstAt: number;
  lastAt: number;
  calls: number;
  errors: number;
}

/** The id of a stateless client, the same on every node. */
export function statelessId({ server, owner, client: { name, version } }: StatelessCaller): string {
  const text = JSON.stringify([server, owner, name ?? null, version ?? null]);
  return `stateless:${hash('sha256', text, 'base64url').slice(0, 22)}`;
}

/**
 * Who calls this node without a session. In memory only: a client that goes on is known again with its next request.
 * Names are of the clients' choosing, so one tenant's can only push out that tenant's.
 */
export class StatelessClients {
  private readonly tenants = new Map<string, Map<string, StatelessClient>>();
  private readonly listeners = new Set<SessionListener>();
  private size = 0;

  constructor(private readonly now: () => number) {}

  /** Told of each client that did something. Returns the function that ends it. */
  onChange(listener: SessionListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** For one caller at one server, kept by whoever serves it: then a request costs no look-up. */
  caller(server: string, owner: string): StatelessRequests {
    return new StatelessRequests(server, owner, tenantOfKey(server), this);
  }

  list(tenantId: string): readonly StatelessClient[] {
    const clients = this.tenants.get(tenantId);
    if (clients === undefined) return [];
    const since = this.now() - SILENT_MS;
    for (const client of clients.values()) if (client.lastAt < since) this.forget(tenantId, client.id);
    return [...clients.values()];
  }

  find(tenantId: string, id: string): StatelessClient | undefined {
    return this.tenants.get(tenantId)?.get(id);
  }

  /** @internal of `StatelessRequests` */
  seen(tenantId: string, server: string, owner: string, client: ClientInfo): StatelessClient {
    const { name, version, revision, capabilities } = client;
    const id = statelessId({ server, owner, client });
    const now = this.now();
    const clients = this.tenants.get(tenantId) ?? new Map<string, StatelessClient>();
    this.tenants.set(tenantId, clients);
    const there = clients.get(id);
    if (there !== undefined) return there;
    if (clients.size >= TENANT_MAX) this.forget(tenantId, oldestOf(clients));
    while (this.size >= ALL_MAX) {
      const [largest, of] = largestOf(this.tenants);
      this.forget(largest, oldestOf(of));
    }
    const known: StatelessClient = {
      id,
      server,
      owner,
      name: short(name, 200),
      version: short(version, 200),
      revision,
      capabilities,
      firstAt: now,
      lastAt: now,
      calls: 0,
      errors: 0,
    };
    clients.set(id, known);
    this.tenants.set(tenantId, clients);
    this.size += 1;
    return known;
  }

  /** @internal of `StatelessRequests` */
  touched(tenantId: string, client: StatelessClient): void {
    client.lastAt = this.now();
    for (const listener of this.listeners) listener(tenantId, client.id, false);
  }

  private forget(tenantId: string, id: string | undefined): void {
    const clients = this.tenants.get(tenantId);
    if (id === undefined || !clients?.delete(id)) return;
    this.size -= 1;
    if (clients.size === 0) this.tenants.delete(tenantId);
  }
}

/** The stateless requests of one caller at one server. */
export class StatelessRequests {
  private last: StatelessClient | undefined;

  constructor(
    private readonly server: string,
    private readonly owner: string,
    private readonly tenantId: string,
    private readonly clients: StatelessClients,
  ) {}

  /** Something has begun that may last. */
  begun(client: ClientInfo): void {
    this.clients.touched(this.tenantId, this.known(client));
  }

  finished(client: ClientInfo, failed: boolean): void {
    const known = this.known(client);
    known.revision = client.revision;
    known.capabilities = client.capabilities;
    known.calls += 1;
    if (failed) known.errors += 1;
    this.clients.touched(this.tenantId, known);
  }

  private known(client: ClientInfo): StatelessClient {
    const { last } = this;
    // Most callers are one client. One that was pushed out meanwhile has to be made anew.
    const same = last !== undefined && last.name === client.name && last.version === client.version;
    if (same && this.clients.find(this.tenantId, last.id) === last) return last;
    this.last = this.clients.seen(this.tenantId, this.server, this.owner, client);
    return this.last;
  }
}

function largestOf(tenants: ReadonlyMap<string, ReadonlyMap<string, StatelessClient>>) {
  let largest: [string, ReadonlyMap<string, StatelessClient>] = ['', new Map()];
  for (const entry of tenants) if (entry[1].size > largest[1].size) largest = entry;
  return largest;
}

function oldestOf(clients: ReadonlyMap<string, StatelessClient>): string | undefined {
  let oldest: StatelessClient | undefined;
  for (const client of clients.values()) if (oldest === undefined || client.lastAt < oldest.lastAt) oldest = client;
  return oldest?.id;
}
