import type { Session, SessionPage } from '@gantry/contracts';
import type { Clock, SessionRecord } from '@gantry/mcp-core';
import { z } from 'zod';
import { encodeCursor } from '../../../common/http/cursor.js';
import { ASK_AT_ONCE, type LiveSessions } from './live-sessions.js';
import { matches, type SessionFilter } from './session-rows.js';

/** A filter that few sessions pass is tried on many; then the page is given as far as it came. */
const SEARCH_MS = 2_000;
const SEARCH_PARTS = 25;

/** Where a list stands: among sessions, in the part that begins after `after`; or among clients. */
export const sessionPositionSchema = z.union([
  z.strictObject({
    after: z.string().max(400).optional(),
    /** The last one that was looked at in that part. */
    seen: z.strictObject({ id: z.string().max(200), at: z.number() }).optional(),
  }),
  z.strictObject({ client: z.string().max(100) }),
]);
export type SessionPosition = z.infer<typeof sessionPositionSchema>;

export interface PageRequest {
  readonly tenantId: string;
  readonly filter: SessionFilter;
  readonly limit: number;
  readonly from: SessionPosition | undefined;
}

interface Page {
  readonly items: Session[];
  readonly silent: Set<string>;
  /** Undefined behind the last one. */
  next: SessionPosition | undefined;
}

/** A page of sessions, and behind the last of them of stateless clients. May be short although there is more. */
export async function sessionPage(live: LiveSessions, clock: Clock, request: PageRequest): Promise<SessionPage> {
  const page: Page = { items: [], silent: new Set(), next: request.from ?? {} };
  if (request.filter.era === 'stateless') page.next = { client: '' };
  await addSessions(live, clock, request, page);
  if (page.next !== undefined && 'client' in page.next) await addClients(live, request, page, page.next.client);
  const { items, silent, next } = page;
  return { items, ...(next === undefined ? {} : { nextCursor: encodeCursor(next) }), silentNodes: [...silent].sort() };
}

async function addSessions(live: LiveSessions, clock: Clock, request: PageRequest, page: Page): Promise<void> {
  const { tenantId, filter, limit } = request;
  const filtered = Object.values(filter).some((value) => value !== undefined);
  const until = clock.now() + SEARCH_MS;
  for (let part = 0; part < SEARCH_PARTS && page.next !== undefined && !('client' in page.next); part += 1) {
    const left = limit - page.items.length;
    if (left === 0 || (part > 0 && clock.now() >= until)) return;
    const { after, seen } = page.next;
    // The part that was left in the middle has to be read as long as it was.
    const size = filtered || seen !== undefined ? ASK_AT_ONCE : left;
    const { items: all, next } = await live.stored(tenantId, filter.server, size, after);
    const records = seen === undefined ? all : behind(all, seen);
    const { shown, silent } = await live.rows(tenantId, records);
    for (const node of silent) page.silent.add(node);
    for (const [at, row] of shown.entries()) {
      if (matches(row, filter)) page.items.push(row.item);
      const record = records[at] as SessionRecord;
      page.next = { ...(after === undefined ? {} : { after }), seen: { id: record.id, at: record.createdAt } };
      if (page.items.length === limit && at < shown.length - 1) return;
    }
    page.next = next === undefined ? afterSessions(filter) : { after: next };
  }
}

async function addClients(live: LiveSessions, request: PageRequest, page: Page, after: string): Promise<void> {
  const left = request.limit - page.items.length;
  if (left === 0) return;
  const { shown, silent } = await live.clients(request.tenantId);
  for (const node of silent) page.silent.add(node);
  const rows = shown.filter((row) => row.item.id > after && matches(row, request.filter));
  const some = rows.slice(0, left).map(({ item }) => item);
  page.items.push(...some);
  const last = some.at(-1);
  page.next = rows.length > left && last !== undefined ? { client: last.id } : undefined;
}

function afterSessions({ era }: SessionFilter): SessionPosition | undefined {
  return era === undefined ? { client: '' } : undefined;
}

/** What comes behind one that may have ended meanwhile. */
function behind(records: readonly SessionRecord[], seen: { id: string; at: number }): readonly SessionRecord[] {
  const place = records.findIndex(({ id }) => id === seen.id);
  return place === -1 ? records.filter(({ createdAt }) => createdAt > seen.at) : records.slice(place + 1);
}
