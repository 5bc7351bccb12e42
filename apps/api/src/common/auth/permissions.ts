import type { MemberRole, Permission, PlatformRole, Scope } from '@gantry/contracts';
import { permissionSchema } from '@gantry/contracts';
import type { Principal, TenantRef } from './principal.js';

type Permissions = ReadonlySet<Permission>;
const none: Permissions = new Set();
const all: Permissions = new Set(permissionSchema.options);
const union = (...parts: Iterable<Permission>[]): Permissions => new Set(parts.flatMap((part) => [...part]));

const viewer = union(['tenant:read', 'servers:read', 'calls:read', 'payloads:read']);
// Of keys a developer manages only those of their own making: see `mayManageKey`.
const developer = union(viewer, [
  'servers:write',
  'tools:try',
  'sessions:end',
  'keys:read',
  'keys:write',
  'keys:revoke',
  'secrets:read',
]);
const admin = union(developer, ['tenant:update', 'servers:delete', 'secrets:write', 'audit:read']);
const owner = union(admin, ['tenant:delete']);

/** What a member may do in their tenant. */
export const memberPermissions: Readonly<Record<MemberRole, Permissions>> = { owner, admin, developer, viewer };

/** What people above tenants may do, in every tenant. Payloads are not among it. */
export const platformPermissions: Readonly<Record<PlatformRole, Permissions>> = {
  operator: union([
    'tenants:list',
    'tenants:create',
    'tenant:read',
    'tenant:limits',
    'tenant:delete',
    'servers:read',
    'keys:read',
    'keys:revoke',
    'calls:read',
    'sessions:end',
    'audit:read',
    'nodes:read',
    'nodes:drain',
  ]),
  auditor: union(['tenants:list', 'tenant:read', 'servers:read', 'calls:read', 'audit:read', 'nodes:read']),
};

const readScope = union(['tenant:read', 'servers:read', 'calls:read', 'payloads:read', 'secrets:read']);

/** What a scope of an API key opens on the management API. */
export const scopePermissions: Readonly<Record<Scope, Permissions>> = {
  'mcp:call': none,
  'mcp:read': none,
  'tenant:read': readScope,
  'tenant:write': union(readScope, [
    'tenant:update',
    'servers:write',
    'servers:delete',
    'secrets:write',
    'tools:try',
    'sessions:end',
  ]),
  'keys:write': union(['keys:read', 'keys:write', 'keys:revoke']),
};

/** What reaches past single servers, and is therefore lost by a key that is narrowed to some. */
const tenantWide: Permissions = union([
  'tenant:update',
  'secrets:read',
  'secrets:write',
  'calls:read',
  'payloads:read',
  'sessions:end',
  'audit:read',
]);

/** What the caller may do outside any tenant. */
export function permissionsOnPlatform(principal: Principal): Permissions {
  if (principal.kind === 'automation') return all;
  if (principal.kind === 'user' && principal.platformRole) return platformPermissions[principal.platformRole];
  return none;
}

/** What the caller may do in one tenant; undefined when the caller may not even know that it exists. */
export function permissionsIn(principal: Principal, tenant: TenantRef): Permissions | undefined {
  switch (principal.kind) {
    case 'automation':
      return all;
    case 'key':
      return principal.tenantId === tenant.id ? permissionsOfScopes(principal.scopes, principal.servers) : undefined;
    case 'user': {
      const membership = principal.memberships.get(tenant.id);
      if (membership === undefined && principal.platformRole === undefined) return undefined;
      return union(
        principal.platformRole ? platformPermissions[principal.platformRole] : none,
        membership ? memberPermissions[membership.role] : none,
      );
    }
  }
}

function permissionsOfScopes(scopes: readonly Scope[], servers: readonly string[]): Permissions {
  const granted = union(...scopes.map((scope) => scopePermissions[scope]));
  return servers.length === 0 ? granted : new Set([...granted].filter((permission) => !tenantWide.has(permission)));
}

const implied: Partial<Record<Scope, readonly Scope[]>> = { 'mcp:call': ['mcp:read'], 'tenant:write': ['tenant:read'] };
const grantableByRole: Readonly<Record<MemberRole, readonly Scope[]>> = {
  owner: ['mcp:call', 'mcp:read', 'tenant:read', 'tenant:write', 'keys:write'],
  admin: ['mcp:call', 'mcp:read', 'tenant:read', 'tenant:write', 'keys:write'],
  developer: ['mcp:call', 'mcp:read', 'tenant:read'],
  viewer: [],
};

/** The scopes the caller may put on a key of the tenant: never more than the caller holds. */
export function grantableScopes(principal: Principal, tenant: TenantRef): ReadonlySet<Scope> {
  switch (principal.kind) {
    case 'automation':
      return new Set(grantableByRole.owner);
    case 'key':
      return new Set(principal.scopes.flatMap((scope) => [scope, ...(implied[scope] ?? [])]));
    case 'user': {
      const membership = principal.memberships.get(tenant.id);
      return new Set(membership ? grantableByRole[membership.role] : []);
    }
  }
}
