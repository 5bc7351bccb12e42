import type { Scope } from '@gantry/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../infra/prisma/database.js';

export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly servers: readonly string[];
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface KeyMatch {
  readonly validUntil: Date | null;
  readonly key: KeyRow & { readonly tenantId: string; readonly tenant: { readonly slug: string } };
}

export interface NewKey {
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly servers: readonly string[];
  readonly createdBy: string;
  readonly expiresAt: Date | null;
}

@Injectable()
export class KeysRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  list(tenantId: string, after: string | undefined, take: number): Promise<KeyRow[]> {
    return this.database.forTenant(tenantId).transaction((tx) =>
      tx.apiKey.findMany({
        where: { tenantId, revokedAt: null, ...(after === undefined ? {} : { id: { lt: after } }) },
        orderBy: { id: 'desc' },
        take,
      }),
    );
  }

  get(tenantId: string, id: string): Promise<KeyRow | null> {
    return this.database
      .forTenant(tenantId)
      .transaction((tx) => tx.apiKey.findFirst({ where: { tenantId, id, revokedAt: null } }));
  }

  /** The key, locked until the transaction ends; null when revoked. */
  async lock(tx: Tx, tenantId: string, id: string): Promise<KeyRow | null> {
    await tx.$queryRaw`SELECT 1 FROM api_keys WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
    return tx.apiKey.findFirst({ where: { tenantId, id, revokedAt: null } });
  }

  async create(tx: Tx, tenantId: string, key: NewKey, hash: Uint8Array<ArrayBuffer>): Promise<KeyRow> {
    const row = await tx.apiKey.create({
      data: { ...key, tenantId, scopes: [...key.scopes], servers: [...key.servers] },
    });
    await this.addHash(tx, tenantId, row.id, hash);
    return row;
  }

  async addHash(tx: Tx, tenantId: string, keyId: string, hash: Uint8Array<ArrayBuffer>): Promise<void> {
    await tx.apiKeyHash.create({ data: { tenantId, keyId, hash }, select: { keyId: true } });
  }

  /** Bounds every value the key answers to; values that end sooner keep their own end. */
  async endHashes(tx: Tx, tenantId: string, keyId: string, until: Date): Promise<void> {
    await tx.apiKeyHash.updateMany({
      where: { tenantId, keyId, OR: [{ validUntil: null }, { validUntil: { gt: until } }] },
      data: { validUntil: until },
    });
    await tx.apiKeyHash.deleteMany({ where: { tenantId, keyId, validUntil: { lte: new Date() } } });
  }

  setPrefix(tx: Tx, keyId: string, prefix: string): Promise<KeyRow> {
    return tx.apiKey.update({ where: { id: keyId }, data: { prefix } });
  }

  async revoke(tx: Tx, tenantId: string, keyId: string, at: Date): Promise<void> {
    await tx.apiKey.update({ where: { id: keyId, tenantId }, data: { revokedAt: at }, select: { id: true } });
    await tx.apiKeyHash.deleteMany({ where: { tenantId, keyId } });
  }

  /** Slugs among `servers` that name no server of the tenant. */
  async unknownServers(tx: Tx, tenantId: string, servers: readonly string[]): Promise<string[]> {
    if (servers.length === 0) return [];
    const rows = await tx.server.findMany({ where: { tenantId, slug: { in: [...servers] } }, select: { slug: true } });
    const known = new Set(rows.map((row) => row.slug));
    return servers.filter((slug) => !known.has(slug));
  }

  /** The key behind a hash, on any tenant: the caller has yet to be known. */
  findByHash(hash: Uint8Array<ArrayBuffer>): Promise<KeyMatch | null> {
    return this.database.forPlatform().transaction((tx) =>
      tx.apiKeyHash.findUnique({
        where: { hash },
        select: { validUntil: true, key: { include: { tenant: { select: { slug: true } } } } },
      }),
    );
  }

  /** Moves last uses forward, never back. */
  async touch(uses: ReadonlyMap<string, number>): Promise<void> {
    const ids = [...uses.keys()];
    const times = [...uses.values()].map((at) => new Date(at).toISOString());
    await this.database.forPlatform().transaction(
      (tx) => tx.$executeRaw`
        UPDATE api_keys k SET last_used_at = u.at
        FROM (SELECT unnest(${ids}::uuid[]) AS id, unnest(${times}::timestamptz[]) AS at) u
        WHERE k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.at)`,
    );
  }
}
