import type { Clock } from '@gantry/mcp-core';
import { type AnnouncedRevisions, CLAIM_MS, type Claim } from './announced-revisions.js';

interface Entry {
  revision: number | undefined;
  claim: { readonly holder: string; readonly until: number } | undefined;
}

const SERVERS_MAX = 10_000;

/** For a node that is alone. */
export class InMemoryAnnouncedRevisions implements AnnouncedRevisions {
  private readonly servers = new Map<string, Entry>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  claim(server: string, revision: number, holder: string): Claim {
    const entry = this.entryOf(server);
    if (entry.revision !== undefined && entry.revision >= revision) return { kind: 'announced' };
    const now = this.clock.now();
    const { claim } = entry;
    if (claim !== undefined && claim.holder !== holder && claim.until > now) {
      return { kind: 'taken', leftMs: claim.until - now };
    }
    entry.claim = { holder, until: now + CLAIM_MS };
    return { kind: 'yours', since: entry.revision };
  }

  announced(server: string, revision: number, holder: string): void {
    const entry = this.entryOf(server);
    entry.revision = Math.max(entry.revision ?? 0, revision);
    if (entry.claim?.holder === holder) entry.claim = undefined;
  }

  /** Of many, those that changed last are known. */
  private entryOf(server: string): Entry {
    const entry = this.servers.get(server) ?? { revision: undefined, claim: undefined };
    this.servers.delete(server);
    this.servers.set(server, entry);
    if (this.servers.size > SERVERS_MAX) this.servers.delete(this.servers.keys().next().value as string);
    return entry;
  }
}
