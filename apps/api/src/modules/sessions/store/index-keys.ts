import { hash } from 'node:crypto';

/** Enough for any time in milliseconds, so that places sort as the times do. */
const TIME_DIGITS = 16;

/** Where the sessions of one scope are listed. What belongs to one tenant lies in one slot. */
export interface ScopeKeys {
  /** Places in the order in which the sessions were opened: a sorted set, all of one score. */
  readonly order: string;
  /** Places by a time before which the session does not end: a sorted set. */
  readonly ends: string;
}

export function scopeKeys(scope: string): ScopeKeys {
  const tenant = tenantTag(scope);
  return { order: `${tenant}:o:${scope}`, ends: `${tenant}:x:${scope}` };
}

/** Who may be subscribed to a URI of a server: a sorted set of `subscriberName`s, by when they can be forgotten. */
export function subscribersKey(server: string, uri: string): string {
  return `${tenantTag(server)}:u:${hash('sha256', JSON.stringify([server, uri]), 'base64url')}`;
}

export function subscriberName(tag: string, subscription: string): string {
  return `${tag}:${subscription}`;
}

export function subscriberOf(name: string): { tag: string; subscription: string } {
  const end = name.lastIndexOf(':');
  return { tag: name.slice(0, end), subscription: name.slice(end + 1) };
}

/** The place of a session in every list it is in. */
export function placeOf(createdAt: number, tag: string): string {
  return String(createdAt).padStart(TIME_DIGITS, '0') + tag;
}

export function tagOfPlace(place: string): string {
  return place.slice(TIME_DIGITS);
}

/** Scopes begin with their tenant. */
function tenantTag(scope: string): string {
  return `gantry:i:{${scope.split('/', 1)[0]}}`;
}
