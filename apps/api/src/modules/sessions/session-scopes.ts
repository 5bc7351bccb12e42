/*
 * Names under which sessions are counted and listed, beside the server's own key. Each begins with the tenant, as the
 * keys of servers do: what belongs to one tenant lies together.
 */

/** All sessions of a tenant. */
export function tenantScope(tenantId: string): string {
  return `${tenantId}/:all`;
}

/** All sessions that one caller has at the servers of a tenant. */
export function ownerScope(tenantId: string, owner: string): string {
  return `${tenantId}/:of:${owner}`;
}
