import type { ServerDocument } from '@gantry/contracts';
import type { Clock, McpEndpoint, Timer } from '@gantry/mcp-core';
import { type AnnouncedRevisions, CLAIM_MS } from '../infra/changes/announced-revisions.js';
import { serverKey, settingsOf } from '../modules/tools/catalogue/snapshot.js';
import { changedLists, mayHaveClosed } from './list-changes.js';
import { anonymous, ownerOf } from './serving.js';

export interface SessionAnnouncerOptions {
  readonly nodeId: string;
  readonly endpoint: Pick<McpEndpoint, 'tellSessions' | 'listSessions' | 'endAll'>;
  readonly revisions: AnnouncedRevisions;
  /** The document of a published revision, from the database. */
  readonly document: (tenantId: string, serverId: string, revision: number) => Promise<ServerDocument | undefined>;
  readonly clock: Clock;
}

/** A revision that is served now. */
export interface Published {
  readonly tenantId: string;
  readonly serverId: string;
  readonly revision: number;
}

/**
 * Tells the sessions of a server, wherever they are held, what a published revision changed: once, though every node
 * learns of it. What changed is seen from the documents, so no node need have served either.
 */
export class SessionAnnouncer {
  constructor(private readonly options: SessionAnnouncerOptions) {}

  /**
   * Gives undefined when the sessions have heard, or in how many milliseconds to ask again whether another node, which
   * is about it, has told them.
   * @param served the revision that this node served last, if it did
   * @throws when they could not be told: to be tried again
   */
  async announce(published: Published, served?: number): Promise<number | undefined> {
    const { revisions, nodeId } = this.options;
    const server = serverKey(published);
    const claim = await revisions.claim(server, published.revision, nodeId);
    if (claim.kind === 'announced') return undefined;
    if (claim.kind === 'taken') return claim.leftMs;
    const release = this.keep(server, published.revision);
    try {
      // A node that has read the new one already knows nothing of the one before.
      const older = served !== undefined && served < published.revision ? served : undefined;
      await this.tell(server, published, claim.since ?? older);
    } finally {
      release();
    }
    await revisions.announced(server, published.revision, nodeId);
    return undefined;
  }

  private async tell(server: string, published: Published, since: number | undefined): Promise<void> {
    const { endpoint, document } = this.options;
    const { tenantId, serverId, revision } = published;
    if (revision === 1 || (await endpoint.listSessions(server, 1)).items.length === 0) return;
    const [before, after] = await Promise.all([
      document(tenantId, serverId, since ?? revision - 1),
      document(tenantId, serverId, revision),
    ]);
    // Deleted meanwhile: that is announced by itself.
    if (before === undefined || after === undefined) return;
    // Who came in while the door stood open is nobody that a key could still be asked of.
    if (mayHaveClosed(before, after, since)) await endpoint.endAll({ server, owner: ownerOf(anonymous) }, server);
    let untold = 0;
    for (const list of changedLists(before, after)) {
      untold += await endpoint.tellSessions(server, { kind: 'list', list }, settingsOf(after));
    }
    if (untold > 0) throw new Error(`${untold} sessions could not be told of a changed list`);
  }

  /** Telling many thousand sessions may take longer than a claim lasts. */
  private keep(server: string, revision: number): () => void {
    const { revisions, nodeId, clock } = this.options;
    let timer: Timer;
    const arm = () => {
      timer = clock.setTimer(CLAIM_MS / 3, () => {
        // Without it another node may tell them a second time, which does no harm but noise.
        Promise.resolve(revisions.claim(server, revision, nodeId)).catch(() => {});
        arm();
      });
    };
    arm();
    return () => timer.cancel();
  }
}
