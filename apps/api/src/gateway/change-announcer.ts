import type { CatalogueEntry, Clock, ListKind, McpEndpoint, Timer } from '@gantry/mcp-core';
import type { ChangeLogFollower } from '../infra/changes/change-log-follower.js';
import { ownerScope } from '../modules/sessions/session-scopes.js';
import type { HostedServer, HostedServers } from '../modules/tools/catalogue/hosted-servers.js';
import { serverKey } from '../modules/tools/catalogue/snapshot.js';
import { anonymous, ownerOf } from './serving.js';

export interface ChangeAnnouncerOptions {
  readonly servers: HostedServers;
  readonly endpoint: Pick<McpEndpoint, 'changed' | 'endAll'>;
  /** Whether a key may still be used. */
  readonly keyStands: (tenantId: string, keyId: string) => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
  readonly clock: Clock;
}

/** When the database is away just now, what changed is asked again until it is back. */
const RETRY_MS = 1_000;

/**
 * Turns rows of the change log into what clients notice: the newer revision is served, streams hear of a changed list,
 * and whoever may no longer be here is let go.
 */
export class ChangeAnnouncer {
  private readonly retries = new Set<Timer>();

  constructor(private readonly options: ChangeAnnouncerOptions) {}

  /** Returns the function that ends it. */
  follow(follower: Pick<ChangeLogFollower, 'on' | 'onLost'>): () => void {
    const { servers } = this.options;
    const stops = [
      follower.on('server', ({ tenantId, subject }) => this.replace(servers.drop(tenantId, subject))),
      follower.on('tenant', ({ tenantId }) => this.replace(servers.drop(tenantId))),
      follower.on('key', ({ tenantId, subject }) => this.keyChanged(tenantId, subject)),
      follower.onLost(() => this.replace(servers.dropAll())),
    ];
    return () => {
      for (const stop of stops) stop();
      for (const retry of this.retries) retry.cancel();
      this.retries.clear();
    };
  }

  private replace(dropped: readonly HostedServer[]): void {
    for (const old of dropped) {
      this.announce(old).catch((error) => {
        this.options.onFault(error);
        this.later(old);
      });
    }
  }

  /** Clients of this server have yet to hear of its change. */
  private later(old: HostedServer): void {
    const retry = this.options.clock.setTimer(RETRY_MS, () => {
      this.retries.delete(retry);
      this.replace([old]);
    });
    this.retries.add(retry);
  }

  private async announce(old: HostedServer): Promise<void> {
    const { servers, endpoint } = this.options;
    const { tenantSlug, serverSlug, serverId } = old.published;
    const now = await servers.get(tenantSlug, serverSlug);
    const server = serverKey(old.published);
    if (now === undefined || now.published.serverId !== serverId) return endpoint.endAll({ server }, server);
    // Who came in while the door stood open is nobody that a key could still be asked of.
    if (isPublic(old) && !isPublic(now)) await endpoint.endAll({ server, owner: ownerOf(anonymous) }, server);
    const [before, after] = [listsOf(old), listsOf(now)];
    for (const list of LISTS) {
      if (before[list] !== after[list]) await endpoint.changed(server, { kind: 'list', list }, now.snapshot.settings);
    }
  }

  private keyChanged(tenantId: string | null, keyId: string): void {
    if (tenantId === null) return;
    const { keyStands, endpoint, onFault } = this.options;
    keyStands(tenantId, keyId)
      .catch((error) => {
        onFault(error);
        // Not known is not standing: a client that still may comes back, one that may not must not stay.
        return false;
      })
      .then((stands) => {
        const owner = ownerOf({ kind: 'key', id: keyId });
        return stands ? undefined : endpoint.endAll({ owner }, ownerScope(tenantId, owner));
      })
      .catch(onFault);
  }
}

function isPublic({ published }: HostedServer): boolean {
  return published.document.access === 'public';
}

const LISTS: readonly ListKind[] = ['tools', 'prompts', 'resources'];

/** What each list is made from. */
function listsOf({
  snapshot: { tools, prompts, resources, resourceTemplates },
}: HostedServer): Record<ListKind, string> {
  const shown = (entries: readonly CatalogueEntry<unknown>[] | undefined) =>
    entries?.map(({ definition }) => definition);
  return {
    tools: JSON.stringify(shown(tools)),
    prompts: JSON.stringify(shown(prompts) ?? null),
    resources: JSON.stringify([shown(resources), shown(resourceTemplates)]),
  };
}
