import type { CatalogueSnapshot } from '@gantry/mcp-core';
import { tooMany } from '../../../common/errors/app-error.js';
import { LookupBudget } from '../../keys/lookup-budget.js';
import { buildSnapshot, type PublishedServer } from './snapshot.js';

/** One hosted server as this node serves it. Replaced, never changed, when a newer revision is announced. */
export interface HostedServer {
  readonly published: PublishedServer;
  readonly snapshot: CatalogueSnapshot;
}

/** Finds what is published under two slugs; undefined when there is no such server or nothing is published. */
export type LoadPublished = (tenantSlug: string, serverSlug: string) => Promise<PublishedServer | undefined>;

interface Load {
  readonly result: Promise<HostedServer | undefined>;
  /** A change was announced since the last read began. */
  stale: boolean;
}

/** Two slugs. */
const PATH_MAX = 127;
const SERVERS_MAX = 5_000;
const UNKNOWN_MAX = 10_000;

/**
 * Snapshots of this node by path. A hit is one map look-up without a promise; servers that do not exist are
 * remembered as well, so that guessing names costs the database one query a name. With the database away, what is in
 * memory goes on for a while; after that each request asks, and fails as the database does.
 */
export class HostedServers {
  private readonly known = new Map<string, HostedServer>();
  private readonly unknown = new Set<string>();
  private readonly loading = new Map<string, Load>();
  private readonly budget: LookupBudget;

  constructor(
    private readonly load: LoadPublished,
    now: () => number = Date.now,
    /** False when what is in memory is too old to be served unasked. */
    private readonly mayTrust: () => boolean = () => true,
    /** Of jobs whose tools name none. */
    private readonly jobTimeoutMs?: number,
  ) {
    this.budget = new LookupBudget(now);
  }

  /**
   * As `get`, for whoever asks from outside, with or without a key: names of no server are limited by address, so that
   * making them up does not take the database from everybody. Throws `rate_limited`.
   */
  find(
    tenantSlug: string,
    serverSlug: string,
    address: string,
  ): HostedServer | undefined | Promise<HostedServer | undefined> {
    const path = `${tenantSlug}/${serverSlug}`;
    const trusted = this.mayTrust();
    const hit = this.known.get(path);
    if (hit !== undefined && trusted) return hit;
    // No server has such a name, and what is not looked up need not be remembered.
    if (path.length > PATH_MAX) return undefined;
    // Of many who ask for one name at once, the first pays.
    if (this.loading.has(path) || (this.unknown.has(path) && trusted)) return this.get(tenantSlug, serverSlug);
    const waitMs = this.budget.waitMs(address);
    if (waitMs > 0) throw tooMany('rate_limited', 'Too many unknown servers from this address.', waitMs);
    this.budget.spend(address);
    const refund = () => this.budget.refund(address);
    const found = this.fetch(path, tenantSlug, serverSlug);
    found.then((hosted) => hosted && refund(), refund);
    return found;
  }

  get(tenantSlug: string, serverSlug: string): HostedServer | undefined | Promise<HostedServer | undefined> {
    const path = `${tenantSlug}/${serverSlug}`;
    if (this.mayTrust()) {
      const hit = this.known.get(path);
      if (hit !== undefined) return hit;
      if (this.unknown.has(path)) return undefined;
    }
    return this.loading.get(path)?.result ?? this.fetch(path, tenantSlug, serverSlug);
  }

  /** Forgets what a change of a server, or of its tenant, made stale, and gives back what was forgotten. */
  drop(tenantId: string | null, serverSlug?: string): HostedServer[] {
    this.unknown.clear();
    for (const [path, load] of this.loading) {
      // Which tenant's it is, only its row will say; one read too many does no harm.
      if (serverSlug === undefined || path.endsWith(`/${serverSlug}`)) load.stale = true;
    }
    const dropped: HostedServer[] = [];
    for (const [path, hosted] of this.known) {
      const { published } = hosted;
      if (published.tenantId !== tenantId) continue;
      if (serverSlug !== undefined && published.serverSlug !== serverSlug) continue;
      this.known.delete(path);
      dropped.push(hosted);
    }
    return dropped;
  }

  /** Forgets everything: announcements may have been missed. */
  dropAll(): HostedServer[] {
    this.unknown.clear();
    for (const load of this.loading.values()) load.stale = true;
    const dropped = [...this.known.values()];
    this.known.clear();
    return dropped;
  }

  private fetch(path: string, tenantSlug: string, serverSlug: string): Promise<HostedServer | undefined> {
    const read = async (): Promise<HostedServer | undefined> => {
      let published: PublishedServer | undefined;
      // What is given out is always what is kept: whoever holds on to it must hear of the next change. Each further
      // round is owed to a change that was committed meanwhile.
      do {
        load.stale = false;
        published = await this.load(tenantSlug, serverSlug);
      } while (load.stale);
      const hosted = published && { published, snapshot: buildSnapshot(published, this.jobTimeoutMs) };
      this.keep(path, hosted);
      return hosted;
    };
    const load: Load = { stale: false, result: Promise.resolve().then(read) };
    this.loading.set(path, load);
    const settled = () => void this.loading.delete(path);
    load.result.then(settled, settled);
    return load.result;
  }

  private keep(path: string, hosted: HostedServer | undefined): void {
    if (hosted === undefined) {
      if (this.unknown.size >= UNKNOWN_MAX) this.unknown.clear();
      this.unknown.add(path);
      return;
    }
    this.unknown.delete(path);
    if (this.known.size >= SERVERS_MAX) {
      const oldest = this.known.keys().next().value;
      if (oldest !== undefined) this.known.delete(oldest);
    }
    this.known.set(path, hosted);
  }
}
