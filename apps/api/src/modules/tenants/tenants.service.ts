import type { Page, Permission, Tenant, TenantLimits } from '@gantry/contracts';
import { slugSchema, tenantLimitsSchema } from '@gantry/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { permissionsIn } from '../../common/auth/permissions.js';
import type { Principal, TenantRef } from '../../common/auth/principal.js';
import { AppError, conflict, forbidden, notFound } from '../../common/errors/app-error.js';
import { decodeCursor, pageOf } from '../../common/http/cursor.js';
import type { Caller, TenantCaller } from '../../common/http/request-context.js';
import { AllowList } from '../../infra/egress/index.js';
import { Mutations } from '../audit/mutations.js';
import { type TenantRow, TenantsRepository } from './tenants.repository.js';

@Injectable()
export class TenantsService {
  constructor(
    @Inject(TenantsRepository) private readonly tenants: TenantsRepository,
    @Inject(Mutations) private readonly mutations: Mutations,
  ) {}

  /** What runs of a tenant's tools have to know of it; undefined when it is gone. */
  async facts(tenantId: string): Promise<{ readonly slug: string; readonly limits: TenantLimits } | undefined> {
    const row = await this.tenants.get(tenantId);
    return row === null ? undefined : { slug: row.slug, limits: tenantLimitsSchema.parse(row.limits) };
  }

  /** The tenant a slug names; undefined for none and for what is no slug. Says nothing about who may know. */
  async findRef(slug: string): Promise<TenantRef | undefined> {
    if (!slugSchema.safeParse(slug).success) return undefined;
    return (await this.tenants.findRef(slug)) ?? undefined;
  }

  /** The tenants the caller may see. */
  async list(caller: Caller, limit: number, cursor: string | undefined): Promise<Page<Tenant>> {
    const after = decodeCursor(cursor, slugSchema);
    const rows = await this.tenants.list(visibleTo(caller), after, limit + 1);
    return pageOf(
      rows,
      limit,
      (row) => present(row, caller.principal),
      (row) => row.slug,
    );
  }

  async get(caller: TenantCaller): Promise<Tenant> {
    const row = await this.tenants.get(caller.tenant.id);
    if (row === null) throw notFound('tenant');
    return present(row, caller.principal);
  }

  /** Makes a tenant; a person becomes its owner. */
  async create(caller: Caller, slug: string, name: string): Promise<Tenant> {
    const { principal } = caller;
    const row = await this.mutations.onPlatform(caller, async ({ tx, record }) => {
      const created = await this.tenants.create(tx, slug, name);
      if (created === undefined) throw conflict(`There is a tenant "${slug}" already.`);
      if (principal.kind === 'user') await this.tenants.addOwner(tx, created.id, principal.id);
      await record({
        action: 'tenant.create',
        object: `tenant/${slug}`,
        tenantId: created.id,
        detail: { name },
        changes: [{ kind: 'tenant', subject: slug }],
      });
      return created;
    });
    return present(row, principal, principal.kind === 'user' ? { slug, name, role: 'owner' } : undefined);
  }

  /** Changes name and limits. Limits are replaced as a whole, and are the platform's to give. */
  async patch(caller: TenantCaller, change: { name?: string; limits?: TenantLimits }): Promise<Tenant> {
    require(caller, change.name !== undefined, 'tenant:update');
    require(caller, change.limits !== undefined, 'tenant:limits');
    requireReadable(change.limits?.egressAllow ?? []);
    const { id, slug } = caller.tenant;
    const row = await this.mutations.inTenant(id, caller, async ({ tx, record }) => {
      const before = await this.tenants.lock(tx, id);
      if (before === null) throw notFound('tenant');
      if (change.name === undefined && change.limits === undefined) return before;
      const after = await this.tenants.update(tx, id, change);
      await record({
        action: 'tenant.update',
        object: `tenant/${slug}`,
        tenantId: id,
        detail: { before: pick(before, change), after: change },
        changes: [{ kind: 'tenant', subject: slug }],
      });
      return after;
    });
    return present(row, caller.principal);
  }

  /** Deletes the tenant with everything in it, but for its audit trail. */
  async delete(caller: TenantCaller): Promise<void> {
    const { id, slug } = caller.tenant;
    await this.mutations.onPlatform(caller, async ({ tx, record }) => {
      const row = await this.tenants.lock(tx, id);
      if (row === null) throw notFound('tenant');
      await this.tenants.delete(tx, id);
      await record({
        action: 'tenant.delete',
        object: `tenant/${slug}`,
        tenantId: id,
        detail: { name: row.name },
        changes: [
          { kind: 'tenant', subject: slug },
          { kind: 'deleted-tenant', subject: id },
        ],
      });
    });
  }
}

function visibleTo({ principal, permissions }: Caller): readonly string[] | 'all' {
  if (permissions.has('tenants:list')) return 'all';
  if (principal.kind === 'user') return [...principal.memberships.keys()];
  if (principal.kind === 'automation') return 'all';
  const own = { id: principal.tenantId, slug: principal.tenantSlug };
  if (!permissionsIn(principal, own)?.has('tenant:read')) throw forbidden('tenant:read');
  return [principal.tenantId];
}

function require(caller: Caller, needed: boolean, permission: Permission): void {
  if (needed && !caller.permissions.has(permission)) throw forbidden(permission);
}

function pick(row: TenantRow, change: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(change).map((key) => [key, row[key as keyof TenantRow]]));
}

type Membership = { slug: string; name: string; role: 'owner' | 'admin' | 'developer' | 'viewer' };

function present(row: TenantRow, principal: Principal, joined?: Membership): Tenant {
  const viewer =
    joined && principal.kind === 'user'
      ? { ...principal, memberships: new Map([...principal.memberships, [row.id, joined]]) }
      : principal;
  const role = viewer.kind === 'user' ? viewer.memberships.get(row.id)?.role : undefined;
  return {
    slug: row.slug,
    name: row.name,
    limits: row.limits as TenantLimits,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    ...(role === undefined ? {} : { role }),
    permissions: [...(permissionsIn(viewer, row) ?? [])],
  };
}

/** An entry that cannot be read would open nothing, or fail calls later. */
function requireReadable(egressAllow: readonly string[]): void {
  const errors = egressAllow.flatMap((entry, index) => {
    try {
      AllowList.parse([entry]);
      return [];
    } catch (error) {
      return [{ path: `/limits/egressAllow/${index}`, message: (error as Error).message }];
    }
  });
  if (errors.length > 0) throw new AppError('validation_failed', 'The body has faults.', { errors });
}
