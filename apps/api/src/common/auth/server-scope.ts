import type { Principal } from './principal.js';

/** Whether the caller may know of a server of a tenant it may see: keys can be narrowed to some. */
export function maySeeServer(principal: Principal, slug: string): boolean {
  return principal.kind !== 'key' || principal.servers.length === 0 || principal.servers.includes(slug);
}
