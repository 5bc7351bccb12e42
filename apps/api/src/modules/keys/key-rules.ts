import type { Scope } from '@gantry/contracts';
import { grantableScopes } from '../../common/auth/permissions.js';
import { actorOf } from '../../common/auth/principal.js';
import { AppError } from '../../common/errors/app-error.js';
import type { TenantCaller } from '../../common/http/request-context.js';
import type { KeyRow } from './keys.repository.js';

/**
 * Whether the caller may see, rotate or revoke a key. Developers manage those of their own making; a key that is
 * narrowed to some servers manages keys that are narrowed to no others.
 */
export function maySeeKey(caller: TenantCaller, row: Pick<KeyRow, 'createdBy' | 'servers'>): boolean {
  const { principal, tenant } = caller;
  switch (principal.kind) {
    case 'automation':
      return true;
    case 'key':
      return isWithin(row.servers, principal.servers);
    case 'user': {
      if (principal.platformRole === 'operator') return true;
      const role = principal.memberships.get(tenant.id)?.role;
      return role === 'owner' || role === 'admin' || row.createdBy === actorOf(principal);
    }
  }
}

/** No key grants a scope or a server that its giver lacks. Throws `forbidden`, naming what is too much. */
export function requireGrantable(caller: TenantCaller, scopes: readonly Scope[], servers: readonly string[]): void {
  const grantable = grantableScopes(caller.principal, caller.tenant);
  const tooMuch = scopes.filter((scope) => !grantable.has(scope));
  if (tooMuch.length > 0) throw new AppError('forbidden', `You cannot grant ${tooMuch.join(', ')}.`);
  const held = caller.principal.kind === 'key' ? caller.principal.servers : [];
  if (!isWithin(servers, held)) throw new AppError('forbidden', `You can grant access to ${held.join(', ')} only.`);
}

/** Empty means all servers. */
function isWithin(servers: readonly string[], held: readonly string[]): boolean {
  if (held.length === 0) return true;
  return servers.length > 0 && servers.every((slug) => held.includes(slug));
}
