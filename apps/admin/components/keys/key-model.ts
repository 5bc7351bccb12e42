import type { ApiKey, Scope } from '@gantry/contracts';

export const scopes = [
  'mcp:call',
  'mcp:read',
  'tenant:read',
  'tenant:write',
  'keys:write',
] as const satisfies readonly Scope[];
export const expiryDays = [30, 90, 365] as const;

const dayMs = 86_400_000;
const staleAfterMs = 60 * dayMs;

export type KeyState = 'active' | 'expired' | 'revoked';

export function stateOf(key: ApiKey, now: number): KeyState {
  if (key.revokedAt) return 'revoked';
  return key.expiresAt && Date.parse(key.expiresAt) <= now ? 'expired' : 'active';
}

/** Unused for 60 days, counted from its making if it never was. */
export function isStale(key: ApiKey, now: number): boolean {
  return stateOf(key, now) === 'active' && now - Date.parse(key.lastUsedAt ?? key.createdAt) > staleAfterMs;
}

/** Grants more than calling tools. */
export function isBroad(key: ApiKey): boolean {
  return key.scopes.some((scope) => scope === 'tenant:write' || scope === 'keys:write');
}

/** The moment a key made now ends, for a preset in days; undefined for never. */
export function expiresIn(days: number | undefined, now: number): string | undefined {
  return days === undefined ? undefined : new Date(now + days * dayMs).toISOString();
}
