import type { CatalogueSnapshot } from '@gantry/mcp-core';
import { buildSnapshot, type PublishedServer } from './snapshot.js';

/** One hosted server as this node serves it. Replaced, never changed, when a newer revision is announced. */
export interface HostedServer {
  readonly published: PublishedServer;
  readonly snapshot: CatalogueSnapshot;
}

/** Finds what is published under two slugs; undefined when there is no such server or nothing is published. */
export type LoadPublished = (tenantSlug: string, serverSlug: string) => Promise<PublishedServer | undefined>;

const SERVERS_MAX = 5_000;
const UNKNOWN_MAX = 10_000;

/**
 * Snapshots of this node by path. A hit is one map look-up without a promise; servers that do not exist are
 * remembered as well, so that guessing names costs the database one query a name.
 */
export class HostedServers {
  private readonly known = new Map<string, HostedServer>();
  private readonly unknown = new Set<string>();
  private readonly loading = new Map<string, Promise<HostedServer | undefined>>();
  /** Moves with every announcement, so that a load which began before it is not kept. */
  private epoch = 0;

  constructor(private readonly load: LoadPublished) {}

  get(tenantSlug: string, serverSlug: string): HostedServer | undefined | Promise<HostedServer | undefined> {
    const path = `${tenantSlug}/${serverSlug}`;
    const hit = this.known.get(path);
    if (hit !== undefined) return hit;
    if (this.unknown.has(path)) return undefined;
    return this.loading.get(path) ?? this.fetch(path, tenantSlug, serverSlug);
  }

  /** Forgets what a change of a server, or of its tenant, made stale, and gives back what was forgotten. */
  drop(tenantId: string | null, serverSlug?: string): HostedServer[] {
    this.epoch += 1;
    this.unknown.clear();
    this.loading.clear();
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
    this.epoch += 1;
    this.unknown.clear();
    this.loading.clear();
    const dropped = [...this.known.values()];
    this.known.clear();
    return dropped;
  }

  private fetch(path: string, tenantSlug: string, serverSlug: string): Promise<HostedServer | undefined> {
    const epoch = this.epoch;
    const promise: Promise<HostedServer | undefined> = this.load(tenantSlug, serverSlug)
      .then((published) => {
        const hosted = published && { published, snapshot: buildSnapshot(published) };
        if (epoch === this.epoch) this.keep(path, hosted);
        return hosted;
      })
      .finally(() => {
        if (this.loading.get(path) === promise) this.loading.delete(path);
      });
    this.loading.set(path, promise);
    return promise;
  }

  private keep(path: string, hosted: HostedServer | undefined): void {
    if (hosted === undefined) {
      if (this.unknown.size >= UNKNOWN_MAX) this.unknown.clear();
      this.unknown.add(path);
      return;
    }
    if (this.known.size >= SERVERS_MAX) {
      const oldest = this.known.keys().next().value;
      if (oldest !== undefined) this.known.delete(oldest);
    }
    this.known.set(path, hosted);
  }
}
