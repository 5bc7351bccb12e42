import type { TenantLimits } from '@gantry/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { TenantRef } from '../../common/auth/principal.js';
import { Database, type Tx } from '../../infra/prisma/database.js';

export interface TenantRow {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly limits: unknown;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

@Injectable()
export class TenantsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** Which tenant a slug names, on the platform's view: callers decide who may know. */
  findRef(slug: string): Promise<TenantRef | null> {
    return this.database
      .forPlatform()
      .transaction((tx) => tx.tenant.findUnique({ where: { slug }, select: { id: true, slug: true } }));
  }

  get(tenantId: string): Promise<TenantRow | null> {
    return this.database.forTenant(tenantId).transaction((tx) => tx.tenant.findUnique({ where: { id: tenantId } }));
  }

  /** By slug, ascending, after the slug given; all of them, or those of a list. */
  list(ids: readonly string[] | 'all', after: string | undefined, take: number): Promise<TenantRow[]> {
    return this.database.forPlatform().transaction((tx) =>
      tx.tenant.findMany({
        where: {
          ...(ids === 'all' ? {} : { id: { in: [...ids] } }),
          ...(after === undefined ? {} : { slug: { gt: after } }),
        },
        orderBy: { slug: 'asc' },
        take,
      }),
    );
  }

  /** Undefined when the slug is taken. */
  async create(tx: Tx, slug: string, name: string): Promise<TenantRow | undefined> {
    const { count } = await tx.tenant.createMany({ data: [{ slug, name }], skipDuplicates: true });
    return count === 0 ? undefined : tx.tenant.findUniqueOrThrow({ where: { slug } });
  }

  async addOwner(tx: Tx, tenantId: string, userId: string): Promise<void> {
    await tx.membership.create({ data: { tenantId, userId, role: 'owner' }, select: { userId: true } });
  }

  /** The row, locked until the transaction ends. */
  async lock(tx: Tx, tenantId: string): Promise<TenantRow | null> {
    await tx.$queryRaw`SELECT 1 FROM tenants WHERE id = ${tenantId}::uuid FOR UPDATE`;
    return tx.tenant.findUnique({ where: { id: tenantId } });
  }

  update(tx: Tx, tenantId: string, data: { name?: string; limits?: TenantLimits }): Promise<TenantRow> {
    return tx.tenant.update({ where: { id: tenantId }, data: { ...data, updatedAt: new Date() } });
  }

  async delete(tx: Tx, tenantId: string): Promise<void> {
    await tx.tenant.delete({ where: { id: tenantId }, select: { id: true } });
  }
}
