/** What a frame of a list says, whatever its rows are. */
type ListFrame<T> =
  | { kind: 'snapshot'; items: readonly T[]; more: boolean; silentNodes: readonly string[] }
  | { kind: 'delta'; upserted: readonly T[]; removed: readonly string[] };

/**
 * The rows after a frame: known ones in their old places, new ones at the end. A snapshot that holds everything also takes
 * away what it does not name, unless a node was silent: what only that node holds is missing in it, not gone.
 */
export function applyFrame<T extends { id: string }>(rows: readonly T[], frame: ListFrame<T>): T[] {
  const fresh = new Map((frame.kind === 'snapshot' ? frame.items : frame.upserted).map((row) => [row.id, row]));
  const removed = new Set(frame.kind === 'delta' ? frame.removed : []);
  const whole = frame.kind === 'snapshot' && !frame.more && frame.silentNodes.length === 0;
  const kept: T[] = [];
  for (const row of rows) {
    const next = fresh.get(row.id);
    fresh.delete(row.id);
    if (next) kept.push(next);
    else if (!whole && !removed.has(row.id)) kept.push(row);
  }
  return [...kept, ...fresh.values()];
}
