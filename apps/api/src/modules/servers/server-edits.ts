import type { DocumentDiff, PointedMessage, ServerDocument } from '@gantry/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { actorOf } from '../../common/auth/principal.js';
import { maySeeServer } from '../../common/auth/server-scope.js';
import { notFound } from '../../common/errors/app-error.js';
import type { TenantCaller } from '../../common/http/request-context.js';
import { type Mutation, Mutations } from '../audit/mutations.js';
import { documentDiff } from './document-diff.js';
import { type ServerRow, ServersRepository } from './servers.repository.js';

export interface EditOptions {
  readonly action: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly warnings?: readonly PointedMessage[];
  /** Publish what the edit made: always, never, or as the server's `autoPublish` says. */
  readonly publish: boolean | 'auto';
}

/** What an edit left behind. */
export interface Edited {
  readonly row: ServerRow;
  /** Tools that are served after it. */
  readonly served: number;
  readonly created: boolean;
  readonly diff: DocumentDiff;
  readonly warnings: readonly PointedMessage[];
}

const HELD_BACK: PointedMessage = {
  path: '',
  message: 'not published: the server has a draft; publish it when it is ready',
};

/** How a stored document changes and is published: under the lock of its row, recorded in the trail. */
@Injectable()
export class ServerEdits {
  constructor(
    @Inject(ServersRepository) private readonly servers: ServersRepository,
    @Inject(Mutations) private readonly mutations: Mutations,
  ) {}

  /** Runs `work` with the server's row locked. Throws `not_found` for what is not there or not the caller's to know. */
  locked<T>(caller: TenantCaller, slug: string, work: (row: ServerRow, mutation: Mutation) => Promise<T>): Promise<T> {
    if (!maySeeServer(caller.principal, slug)) throw notFound('server');
    return this.mutations.inTenant(caller.tenant.id, caller, async (mutation) => {
      const row = await this.servers.lock(mutation.tx, caller.tenant.id, slug);
      if (row === null) throw notFound('server');
      return work(row, mutation);
    });
  }

  /** Stores and publishes, as far as either changes something. An edit that changes nothing leaves no trace. */
  async apply(
    caller: TenantCaller,
    { tx, record }: Mutation,
    before: ServerRow,
    document: ServerDocument,
    options: EditOptions & { created: boolean; note?: string | undefined },
  ): Promise<Edited> {
    const { id: tenantId } = caller.tenant;
    const { created, publish } = options;
    const published = await this.servers.revisionDocument(tx, tenantId, before.id, before.published);
    const diff = documentDiff(published, document);
    const heldBack = publish === 'auto' && before.draft;
    const warnings = [...(options.warnings ?? []), ...(heldBack ? [HELD_BACK] : [])];
    const publishes = publish === 'auto' ? document.autoPublish && !heldBack : publish;
    const stores = !sameDocument(before.document, document);
    const serves = publishes && (published === undefined || !sameDocument(published, document));
    let row = before;
    if (stores) row = await this.servers.store(tx, before.id, document);
    if (serves)
      row = await this.servers.publish(tx, tenantId, row, {
        publishedBy: actorOf(caller.principal),
        note: options.note,
      });
    const settles = publishes && row.draft;
    if (settles) row = await this.servers.settle(tx, row.id);
    if (created || stores || serves || settles) {
      await record({
        action: options.action,
        object: `server/${before.slug}`,
        tenantId,
        detail: { ...options.detail, revision: row.published, published: serves, ...diff },
        changes: [{ kind: 'server', subject: before.slug }],
      });
    }
    const served = serves ? document.tools.length : (published?.tools.length ?? 0);
    return { row, served, created, diff, warnings };
  }
}

/** Equal to the letter, order included: order is what lists show. */
function sameDocument(a: ServerDocument, b: ServerDocument): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
