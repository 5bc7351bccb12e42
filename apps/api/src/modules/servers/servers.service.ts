import {
  type Page,
  type PointedMessage,
  type PutServerAnswer,
  type Revision,
  type ServerDocument,
  type ServerSummary,
  slugSchema,
} from '@gantry/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { maySeeServer } from '../../common/auth/server-scope.js';
import { notFound } from '../../common/errors/app-error.js';
import { decodeCursor, pageOf } from '../../common/http/cursor.js';
import { requireMatch } from '../../common/http/etag.js';
import type { TenantCaller } from '../../common/http/request-context.js';
import type { AppConfig } from '../../config/app-config.js';
import { APP_CONFIG } from '../../infra/tokens.js';
import { Mutations } from '../audit/mutations.js';
import { type Checked, DocumentChecker } from './document-checker.js';
import { documentDiff } from './document-diff.js';
import type { ItemDocuments, ItemKind, ItemList } from './item-kinds.js';
import { type Edited, type EditOptions, ServerEdits } from './server-edits.js';
import {
  type ListedServer,
  type PublishedRevision,
  type PublishedRow,
  type ServerRow,
  ServersRepository,
} from './servers.repository.js';

/** What a PUT of a server did. */
export interface PutServer {
  readonly answer: PutServerAnswer;
  readonly created: boolean;
  /** The document that is stored after it; undefined for none. */
  readonly stored: ServerDocument | undefined;
}

@Injectable()
export class ServersService {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(ServersRepository) private readonly servers: ServersRepository,
    @Inject(ServerEdits) private readonly edits: ServerEdits,
    @Inject(DocumentChecker) private readonly checker: DocumentChecker,
    @Inject(Mutations) private readonly mutations: Mutations,
  ) {}

  async list(caller: TenantCaller, limit: number, cursor: string | undefined): Promise<Page<ServerSummary>> {
    const only = caller.principal.kind === 'key' ? caller.principal.servers : [];
    const rows = await this.servers.list(caller.tenant.id, only, decodeCursor(cursor, slugSchema), limit + 1);
    return pageOf(
      rows,
      limit,
      (row) => this.present(caller, row),
      (row) => row.slug,
    );
  }

  /** The stored document. Throws `not_found`. */
  /** Ids and slugs of all servers of a tenant. */
  names(tenantId: string): Promise<readonly { readonly id: string; readonly slug: string }[]> {
    return this.servers.names(tenantId);
  }

  async document(caller: TenantCaller, slug: string): Promise<ServerDocument> {
    return (await this.find(caller, slug)).document;
  }

  /** Judges one item as it would be judged within a document of the tenant. Throws `invalid_document`. */
  async checkItem<List extends ItemList>(
    caller: TenantCaller,
    kind: ItemKind<List>,
    raw: unknown,
  ): Promise<Checked<ItemDocuments[List]>> {
    return this.checker.item(kind, raw, await this.servers.egressAllow(caller.tenant.id));
  }

  /** The stored document as it would be served, drafts included. Throws `not_found`. */
  async loadStored(caller: TenantCaller, slug: string): Promise<PublishedRow> {
    const row = maySeeServer(caller.principal, slug)
      ? await this.servers.findStored(caller.tenant.id, slug)
      : undefined;
    if (row === undefined) throw notFound('server');
    return row;
  }

  /** What is served under two slugs; undefined when nothing is. For the gateway: knows no caller. */
  async loadPublished(tenantSlug: string, serverSlug: string): Promise<PublishedRow | undefined> {
    if (!slugSchema.safeParse(tenantSlug).success || !slugSchema.safeParse(serverSlug).success) return undefined;
    return this.servers.findPublished(tenantSlug, serverSlug);
  }

  /** Which revision is served under a slug of a tenant; undefined when none is. Knows no caller. */
  publishedRevision(tenantId: string, slug: string): Promise<PublishedRevision | undefined> {
    return this.servers.publishedRevision(tenantId, slug);
  }

  /** A document as it was published; undefined when there is no such revision. Knows no caller. */
  revisionDocument(tenantId: string, serverId: string, number: number): Promise<ServerDocument | undefined> {
    return this.servers.revision(tenantId, serverId, number);
  }

  /** Creates or replaces a whole server. Throws `invalid_document` with every fault, and then stores nothing. */
  async put(
    caller: TenantCaller,
    slug: string,
    raw: unknown,
    options: { draft: boolean; dryRun: boolean; ifMatch: string | undefined },
  ): Promise<PutServer> {
    if (!maySeeServer(caller.principal, slug)) throw notFound('server');
    const { value: document, warnings } = await this.checker.document(
      raw,
      await this.servers.egressAllow(caller.tenant.id),
    );
    if (options.dryRun) return this.dryRun(caller, slug, document, warnings, options.ifMatch);
    const edited = await this.mutations.inTenant(caller.tenant.id, caller, async (mutation) => {
      if (options.ifMatch !== undefined) {
        const known = await this.servers.lock(mutation.tx, caller.tenant.id, slug);
        requireMatch(options.ifMatch, known?.document);
      }
      const { row, created } = await this.servers.lockOrCreate(mutation.tx, caller.tenant.id, slug, document);
      return this.edits.apply(caller, mutation, row, document, {
        action: created ? 'server.create' : 'server.update',
        warnings,
        publish: !options.draft,
        created,
      });
    });
    return { answer: this.answer(caller, edited), created: edited.created, stored: edited.row.document };
  }

  /** Changes a stored document within a lock. `edit` gives the new document, or throws. */
  async edit(
    caller: TenantCaller,
    slug: string,
    edit: (document: ServerDocument) => ServerDocument,
    options: EditOptions,
  ): Promise<Edited> {
    return this.edits.locked(caller, slug, (row, mutation) =>
      this.edits.apply(caller, mutation, row, edit(row.document), { ...options, created: false }),
    );
  }

  async publish(caller: TenantCaller, slug: string, note: string | undefined): Promise<PutServerAnswer> {
    const edited = await this.edits.locked(caller, slug, (row, mutation) =>
      this.edits.apply(caller, mutation, row, row.document, {
        action: 'server.publish',
        publish: true,
        created: false,
        note,
      }),
    );
    return this.answer(caller, edited);
  }

  /** Publishes the document of an old revision under a new number. */
  async rollback(caller: TenantCaller, slug: string, number: number): Promise<PutServerAnswer> {
    const edited = await this.edits.locked(caller, slug, async (row, mutation) => {
      const old = await this.servers.revisionDocument(mutation.tx, caller.tenant.id, row.id, number);
      if (old === undefined) throw notFound('revision');
      return this.edits.apply(caller, mutation, row, old, {
        action: 'server.rollback',
        detail: { to: number },
        publish: true,
        created: false,
        note: `Rolled back to revision ${number}`,
      });
    });
    return this.answer(caller, edited);
  }

  async revisions(
    caller: TenantCaller,
    slug: string,
    limit: number,
    cursor: string | undefined,
  ): Promise<Page<Revision>> {
    const row = await this.find(caller, slug);
    const before = decodeCursor(cursor, z.int32());
    const rows = await this.servers.revisions(caller.tenant.id, row.id, before, limit + 1);
    return pageOf(
      rows,
      limit,
      (revision) => ({
        number: revision.number,
        publishedAt: revision.publishedAt.toISOString(),
        publishedBy: revision.publishedBy,
        ...(revision.note === null ? {} : { note: revision.note }),
        tools: revision.toolCount,
        live: revision.number === row.published,
      }),
      (revision) => revision.number,
    );
  }

  async delete(caller: TenantCaller, slug: string): Promise<void> {
    await this.edits.locked(caller, slug, async (row, { tx, record }) => {
      await this.servers.delete(tx, caller.tenant.id, row.id);
      await record({
        action: 'server.delete',
        object: `server/${slug}`,
        tenantId: caller.tenant.id,
        detail: { revision: row.published },
        changes: [
          { kind: 'server', subject: slug },
          { kind: 'deleted-server', subject: row.id },
        ],
      });
    });
  }

  private async find(caller: TenantCaller, slug: string): Promise<ServerRow> {
    const row = maySeeServer(caller.principal, slug) ? await this.servers.get(caller.tenant.id, slug) : null;
    if (row === null) throw notFound('server');
    return row;
  }

  private async dryRun(
    caller: TenantCaller,
    slug: string,
    document: ServerDocument,
    warnings: readonly PointedMessage[],
    ifMatch: string | undefined,
  ): Promise<PutServer> {
    const { id: tenantId } = caller.tenant;
    const row = await this.servers.get(tenantId, slug);
    requireMatch(ifMatch, row?.document);
    const published = row === null ? undefined : await this.servers.publishedDocument(tenantId, row);
    const diff = documentDiff(published, document);
    const would = row ?? { id: '', slug, draft: true, published: 0, updatedAt: new Date(), document };
    return {
      answer: this.answer(caller, {
        row: { ...would, document },
        served: published?.tools.length ?? 0,
        created: false,
        diff,
        warnings,
      }),
      created: false,
      stored: row?.document,
    };
  }

  /** The answer to whoever changed a server. */
  answer(caller: TenantCaller, { row, served, diff, warnings }: Edited): PutServerAnswer {
    const { name, access } = row.document;
    const server = this.present(caller, { ...row, name, access, tools: served });
    return { server, revision: row.published, warnings: [...warnings], diff };
  }

  private present(caller: TenantCaller, row: ListedServer): ServerSummary {
    return {
      slug: row.slug,
      name: row.name,
      endpoint: `${this.config.publicUrl}/mcp/${caller.tenant.slug}/${row.slug}`,
      revision: row.published,
      tools: row.tools,
      access: row.access,
      draft: row.draft,
      updatedAt: row.updatedAt.toISOString(),
    };
  }
}
