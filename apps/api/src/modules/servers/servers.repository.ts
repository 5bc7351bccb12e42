import type { ServerDocument, TenantLimits } from '@gantry/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../infra/prisma/database.js';

export interface ServerRow {
  readonly id: string;
  readonly slug: string;
  readonly document: ServerDocument;
  readonly draft: boolean;
  /** Number of the published revision; 0 for none. */
  readonly published: number;
  readonly updatedAt: Date;
}

/** A server in a list, without its document. */
export interface ListedServer {
  readonly slug: string;
  readonly name: string;
  readonly access: 'key' | 'public';
  readonly draft: boolean;
  readonly published: number;
  readonly tools: number;
  readonly updatedAt: Date;
}

export interface RevisionRow {
  readonly number: number;
  readonly toolCount: number;
  readonly note: string | null;
  readonly publishedBy: string;
  readonly publishedAt: Date;
}

/** A published server with what its tenant may use. */
export interface PublishedRow {
  readonly tenantId: string;
  readonly tenantSlug: string;
  readonly tenantLimits: TenantLimits;
  readonly serverId: string;
  readonly serverSlug: string;
  readonly revision: number;
  readonly document: ServerDocument;
}

/** What a slug stands for at the moment. */
export interface PublishedRevision {
  readonly serverId: string;
  readonly revision: number;
}

const shown = { id: true, slug: true, document: true, draft: true, published: true, updatedAt: true } as const;
const asRow = (row: object | null): ServerRow | null => row as ServerRow | null;

@Injectable()
export class ServersRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** By slug, ascending; `only` narrows to some slugs. Documents stay in the database. */
  list(tenantId: string, only: readonly string[], after: string | undefined, take: number): Promise<ListedServer[]> {
    return this.database.forTenant(tenantId).transaction(
      (tx) => tx.$queryRaw<ListedServer[]>`
        SELECT s.slug, s.document->>'name' AS name, s.document->>'access' AS access, s.draft, s.published,
               s.updated_at AS "updatedAt", coalesce(r.tool_count, 0) AS tools
        FROM servers s LEFT JOIN server_revisions r ON r.server_id = s.id AND r.number = s.published
        WHERE s.tenant_id = ${tenantId}::uuid AND s.slug > ${after ?? ''}
          AND (${only.length === 0} OR s.slug = ANY(${[...only]}::text[]))
        ORDER BY s.slug LIMIT ${take}`,
    );
  }

  names(tenantId: string): Promise<{ id: string; slug: string }[]> {
    return this.database
      .forTenant(tenantId)
      .transaction((tx) => tx.server.findMany({ where: { tenantId }, select: { id: true, slug: true } }));
  }

  async get(tenantId: string, slug: string): Promise<ServerRow | null> {
    return this.database.forTenant(tenantId).transaction((tx) => this.find(tx, tenantId, slug));
  }

  async find(tx: Tx, tenantId: string, slug: string): Promise<ServerRow | null> {
    return asRow(await tx.server.findUnique({ where: { tenantId_slug: { tenantId, slug } }, select: shown }));
  }

  /** The row, locked until the transaction ends: who publishes holds it, so numbers never collide. */
  async lock(tx: Tx, tenantId: string, slug: string): Promise<ServerRow | null> {
    await tx.$queryRaw`SELECT 1 FROM servers WHERE tenant_id = ${tenantId}::uuid AND slug = ${slug} FOR UPDATE`;
    return this.find(tx, tenantId, slug);
  }

  /** Makes the row if there is none, and locks it. `created` is false when somebody else was first. */
  async lockOrCreate(
    tx: Tx,
    tenantId: string,
    slug: string,
    document: ServerDocument,
  ): Promise<{ row: ServerRow; created: boolean }> {
    const { count } = await tx.server.createMany({
      data: [{ tenantId, slug, document: document as object, draft: true }],
      skipDuplicates: true,
    });
    const row = await this.lock(tx, tenantId, slug);
    if (row === null) throw new Error(`server ${slug} vanished while it was created`);
    return { row, created: count === 1 };
  }

  /** Stores the document as not yet published. */
  async store(tx: Tx, id: string, document: ServerDocument): Promise<ServerRow> {
    const data = { document: document as object, draft: true, updatedAt: new Date() };
    return asRow(await tx.server.update({ where: { id }, data, select: shown })) as ServerRow;
  }

  /** Writes the next revision and serves it. The caller holds the row. */
  async publish(
    tx: Tx,
    tenantId: string,
    row: ServerRow,
    by: { publishedBy: string; note: string | undefined },
  ): Promise<ServerRow> {
    const last = await tx.serverRevision.aggregate({ where: { serverId: row.id }, _max: { number: true } });
    const number = (last._max.number ?? 0) + 1;
    const { document } = row;
    await tx.serverRevision.create({
      data: {
        serverId: row.id,
        number,
        tenantId,
        document: document as object,
        toolCount: document.tools.length,
        publishedBy: by.publishedBy,
        note: by.note ?? null,
      },
      select: { number: true },
    });
    const data = { published: number, draft: false, updatedAt: new Date() };
    return asRow(await tx.server.update({ where: { id: row.id }, data, select: shown })) as ServerRow;
  }

  /** Notes that the stored document is the published one. */
  async settle(tx: Tx, id: string): Promise<ServerRow> {
    return asRow(await tx.server.update({ where: { id }, data: { draft: false }, select: shown })) as ServerRow;
  }

  publishedDocument(tenantId: string, row: ServerRow): Promise<ServerDocument | undefined> {
    return this.database
      .forTenant(tenantId)
      .transaction((tx) => this.revisionDocument(tx, tenantId, row.id, row.published));
  }

  revision(tenantId: string, serverId: string, number: number): Promise<ServerDocument | undefined> {
    return this.database.forTenant(tenantId).transaction((tx) => this.revisionDocument(tx, tenantId, serverId, number));
  }

  async publishedRevision(tenantId: string, slug: string): Promise<PublishedRevision | undefined> {
    const row = await this.database.forTenant(tenantId).transaction((tx) =>
      tx.server.findUnique({
        where: { tenantId_slug: { tenantId, slug } },
        select: { id: true, published: true },
      }),
    );
    return row === null || row.published === 0 ? undefined : { serverId: row.id, revision: row.published };
  }

  async revisionDocument(
    tx: Tx,
    tenantId: string,
    serverId: string,
    number: number,
  ): Promise<ServerDocument | undefined> {
    const row = await tx.serverRevision.findFirst({
      where: { tenantId, serverId, number },
      select: { document: true },
    });
    return row === null ? undefined : (row.document as unknown as ServerDocument);
  }

  /** Newest first. */
  revisions(tenantId: string, serverId: string, before: number | undefined, take: number): Promise<RevisionRow[]> {
    return this.database.forTenant(tenantId).transaction((tx) =>
      tx.serverRevision.findMany({
        where: { tenantId, serverId, ...(before === undefined ? {} : { number: { lt: before } }) },
        orderBy: { number: 'desc' },
        select: { number: true, toolCount: true, note: true, publishedBy: true, publishedAt: true },
        take,
      }),
    );
  }

  async delete(tx: Tx, tenantId: string, id: string): Promise<void> {
    await tx.server.delete({ where: { id, tenantId }, select: { id: true } });
  }

  /** Private places that the tenant's tools may reach. */
  async egressAllow(tenantId: string): Promise<readonly string[]> {
    const tenant = await this.database
      .forTenant(tenantId)
      .transaction((tx) => tx.tenant.findUnique({ where: { id: tenantId }, select: { limits: true } }));
    return (tenant?.limits as TenantLimits | undefined)?.egressAllow ?? [];
  }

  /** The stored document with what its tenant may use, published or not; `revision` is the published one. */
  async findStored(tenantId: string, slug: string): Promise<PublishedRow | undefined> {
    const rows = await this.database.forTenant(tenantId).transaction(
      (tx) => tx.$queryRaw<PublishedRow[]>`
        SELECT t.id AS "tenantId", t.slug AS "tenantSlug", t.limits AS "tenantLimits", s.id AS "serverId",
               s.slug AS "serverSlug", s.published AS revision, s.document
        FROM tenants t JOIN servers s ON s.tenant_id = t.id
        WHERE t.id = ${tenantId}::uuid AND s.slug = ${slug}`,
    );
    return rows[0];
  }

  /** What is served under two slugs, in one query, on the platform's view. */
  async findPublished(tenantSlug: string, serverSlug: string): Promise<PublishedRow | undefined> {
    const rows = await this.database.forPlatform().transaction(
      (tx) => tx.$queryRaw<PublishedRow[]>`
        SELECT t.id AS "tenantId", t.slug AS "tenantSlug", t.limits AS "tenantLimits", s.id AS "serverId",
               s.slug AS "serverSlug", r.number AS revision, r.document
        FROM tenants t
          JOIN servers s ON s.tenant_id = t.id
          JOIN server_revisions r ON r.server_id = s.id AND r.number = s.published
        WHERE t.slug = ${tenantSlug} AND s.slug = ${serverSlug}`,
    );
    return rows[0];
  }
}
