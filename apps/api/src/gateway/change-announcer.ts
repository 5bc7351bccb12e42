import type { ServerDocument } from '@gantry/contracts';
import type { Clock, McpEndpoint } from '@gantry/mcp-core';
import type { ChangeLogFollower } from '../infra/changes/change-log-follower.js';
import { ownerScope, tenantScope } from '../modules/sessions/session-scopes.js';
import type { HostedServer, HostedServers } from '../modules/tools/catalogue/hosted-servers.js';
import { serverKey } from '../modules/tools/catalogue/snapshot.js';
import { changedLists, mayHaveClosed } from './list-changes.js';
import { Matters } from './matters.js';
import { anonymous, ownerOf } from './serving.js';
import type { Published, SessionAnnouncer } from './session-announcer.js';

export interface ChangeAnnouncerOptions {
  readonly servers: HostedServers;
  readonly endpoint: Pick<McpEndpoint, 'tellListens' | 'listensTo' | 'listSessions' | 'endAll'>;
  readonly sessions: Pick<SessionAnnouncer, 'announce'>;
  /** What is served under a slug of a tenant, from the database. */
  readonly published: (
    tenantId: string,
    slug: string,
  ) => Promise<{ readonly serverId: string; readonly revision: number } | undefined>;
  /** The document of a published revision, from the database. */
  readonly document: (tenantId: string, serverId: string, revision: number) => Promise<ServerDocument | undefined>;
  /** Whether a key may still be used. */
  readonly keyStands: (tenantId: string, keyId: string) => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
  readonly clock: Clock;
}

/** Sessions looked at at once for the servers they belong to. */
const PAGE = 500;
const HEARD_MAX = 10_000;

/**
 * Turns rows of the change log, which every node reads, into what clients notice: the newer revision is served, streams
 * hear of a changed list, and whoever may no longer be here is let go. Each node tells the listen streams it holds
 * itself; sessions belong to all nodes and are told by one. What fails is tried again until it is done.
 */
export class ChangeAnnouncer {
  private readonly matters: Matters;
  /** The oldest of the snapshots that were dropped for changes not yet looked at, by tenant and slug. */
  private readonly dropped = new Map<string, HostedServer>();
  /** The revision that listen streams of this node last heard of, while there are any. */
  private readonly heard = new Map<string, number>();

  constructor(private readonly options: ChangeAnnouncerOptions) {
    this.matters = new Matters(options.clock, options.onFault);
  }

  /** Returns the function that ends it. */
  follow(follower: Pick<ChangeLogFollower, 'on' | 'onLost'>): () => void {
    const { servers, endpoint } = this.options;
    const stops = [
      follower.on('server', ({ tenantId, subject }) => {
        const dropped = servers.drop(tenantId, subject);
        if (tenantId !== null) this.changed(tenantId, subject, dropped[0]);
      }),
      follower.on('deleted-server', ({ tenantId, subject }) => {
        if (tenantId !== null) this.end(serverKey({ tenantId, serverId: subject }));
      }),
      follower.on('tenant', ({ tenantId }) => {
        // None of its lists is another; but it may be gone, and those who listen with it.
        const listened = servers.drop(tenantId).filter(({ published }) => endpoint.listensTo(serverKey(published)));
        for (const old of listened) this.changed(old.published.tenantId, old.published.serverSlug, old);
      }),
      follower.on('deleted-tenant', ({ subject }) => this.endTenant(subject)),
      follower.on('key', ({ tenantId, subject }) => {
        if (tenantId !== null) this.keyChanged(tenantId, subject);
      }),
      follower.onLost(() => {
        for (const old of servers.dropAll()) this.changed(old.published.tenantId, old.published.serverSlug, old);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      this.matters.close();
    };
  }

  /** @param old what this node served until now, if it did */
  private changed(tenantId: string, slug: string, old: HostedServer | undefined): void {
    const path = `${tenantId}/${slug}`;
    if (old !== undefined && !this.dropped.has(path)) this.dropped.set(path, old);
    this.matters.attend(`server ${path}`, async () => {
      const now = await this.options.published(tenantId, slug);
      const before = this.dropped.get(path)?.published;
      if (before !== undefined && before.serverId !== now?.serverId) {
        const server = serverKey(before);
        await this.options.endpoint.endAll({ server }, server);
      }
      if (now !== undefined) {
        const published = { tenantId, ...now };
        const served = before?.serverId === now.serverId ? before.revision : undefined;
        await this.tellListens(published, served);
        const laterMs = await this.options.sessions.announce(published, served);
        if (laterMs !== undefined) return laterMs;
      }
      if (this.dropped.get(path)?.published === before) this.dropped.delete(path);
      return undefined;
    });
  }

  /** Each node tells those it holds itself. @param served the revision that this node served before, if it did */
  private async tellListens(published: Published, served: number | undefined): Promise<void> {
    const { endpoint, document } = this.options;
    const { tenantId, serverId, revision } = published;
    const server = serverKey(published);
    if (!endpoint.listensTo(server)) {
      this.heard.delete(server);
      return;
    }
    const since = this.heard.get(server) ?? served;
    if (since !== undefined && since >= revision) return;
    const before = await document(tenantId, serverId, since ?? revision - 1);
    const after = await document(tenantId, serverId, revision);
    if (before === undefined || after === undefined) return;
    if (this.heard.size >= HEARD_MAX) this.forgetUnheard();
    this.heard.set(server, revision);
    if (mayHaveClosed(before, after, since)) await endpoint.endAll({ server, owner: ownerOf(anonymous) }, server);
    for (const list of changedLists(before, after)) endpoint.tellListens(server, { kind: 'list', list });
  }

  private forgetUnheard(): void {
    for (const server of this.heard.keys()) if (!this.options.endpoint.listensTo(server)) this.heard.delete(server);
  }

  private end(server: string): void {
    this.matters.attend(`end ${server}`, async () => {
      await this.options.endpoint.endAll({ server }, server);
      return undefined;
    });
  }

  private endTenant(tenantId: string): void {
    this.matters.attend(`end ${tenantId}`, async () => {
      const { endpoint } = this.options;
      const servers = new Set<string>();
      let after: string | undefined;
      do {
        const page = await endpoint.listSessions(tenantScope(tenantId), PAGE, after);
        for (const { server } of page.items) servers.add(server);
        after = page.next;
      } while (after !== undefined);
      for (const server of servers) await endpoint.endAll({ server }, server);
      return undefined;
    });
  }

  private keyChanged(tenantId: string, keyId: string): void {
    const { keyStands, endpoint, onFault } = this.options;
    this.matters.attend(`key ${keyId}`, async () => {
      const stands = await keyStands(tenantId, keyId).catch((error) => {
        onFault(error);
        // Not known is not standing: a client that still may comes back, one that may not must not stay.
        return false;
      });
      const owner = ownerOf({ kind: 'key', id: keyId });
      if (!stands) await endpoint.endAll({ owner }, ownerScope(tenantId, owner));
      return undefined;
    });
  }
}
