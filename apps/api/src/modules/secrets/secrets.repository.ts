import { Inject, Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../infra/prisma/database.js';

export interface SecretRow {
  readonly name: string;
  readonly hosts: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastUsedAt: Date | null;
}

/** A sealed value with where it may go. Opened only where it is filled into a request. */
export interface SealedSecret {
  readonly name: string;
  readonly hosts: readonly string[];
  readonly sealed: Uint8Array<ArrayBuffer>;
  readonly keyId: string;
}

const shown = { name: true, hosts: true, createdAt: true, updatedAt: true, lastUsedAt: true } as const;

@Injectable()
export class SecretsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  list(tenantId: string, after: string | undefined, take: number): Promise<SecretRow[]> {
    return this.database.forTenant(tenantId).transaction((tx) =>
      tx.secret.findMany({
        where: { tenantId, ...(after === undefined ? {} : { name: { gt: after } }) },
        orderBy: { name: 'asc' },
        select: shown,
        take,
      }),
    );
  }

  async findSealed(tenantId: string, name: string): Promise<SealedSecret | undefined> {
    const row = await this.database.forTenant(tenantId).transaction((tx) =>
      tx.secret.findUnique({
        where: { tenantId_name: { tenantId, name } },
        select: { name: true, hosts: true, sealed: true, keyId: true },
      }),
    );
    return row ?? undefined;
  }

  /** Sets a value; tells whether it is new. */
  async put(tx: Tx, tenantId: string, secret: SealedSecret): Promise<boolean> {
    const { name, keyId } = secret;
    const data = { hosts: [...secret.hosts], sealed: secret.sealed, keyId, updatedAt: new Date() };
    const { count } = await tx.secret.updateMany({ where: { tenantId, name }, data });
    if (count > 0) return false;
    await tx.secret.upsert({
      where: { tenantId_name: { tenantId, name } },
      create: { ...data, tenantId, name },
      update: data,
      select: { id: true },
    });
    return true;
  }

  async delete(tx: Tx, tenantId: string, name: string): Promise<boolean> {
    const { count } = await tx.secret.deleteMany({ where: { tenantId, name } });
    return count > 0;
  }

  /** The key that the newest secret of all tenants is sealed under, and whether any is sealed under `keyId`. */
  sealedUnder(keyId: string): Promise<{ newest: string | undefined; anyUnder: boolean }> {
    return this.database.forPlatform().transaction(async (tx) => {
      const select = { keyId: true } as const;
      const newest = await tx.secret.findFirst({ orderBy: { updatedAt: 'desc' }, select });
      const ours = await tx.secret.findFirst({ where: { keyId }, select });
      return { newest: newest?.keyId, anyUnder: ours !== null };
    });
  }

  async touch(tenantId: string, name: string, at: Date): Promise<void> {
    await this.database
      .forTenant(tenantId)
      .transaction((tx) => tx.secret.updateMany({ where: { tenantId, name }, data: { lastUsedAt: at } }));
  }
}
