import type { GantryNode } from '@gantry/contracts';
import { formatDuration } from '@/lib/format';
import { t } from '@/strings';

const text = t.nodes;

/** A node beats once a second; one that has not for this long may be paused, cut off or dead. */
const silentMs = 3_000;
/** Differences of clocks below this are those of the measurement. */
const exactMs = 20;

export const nodeTone = (node: GantryNode) =>
  node.state === 'ready' ? ('ok' as const) : node.state === 'draining' ? ('warn' as const) : ('danger' as const);

/**
 * True when a node has not beaten for a while. Ages are measured against the newest beat of all nodes, since one clock
 * stamps them all and the reader's may be wrong.
 */
export function isSilent(node: GantryNode, all: readonly GantryNode[]): boolean {
  if (node.state === 'gone' || !node.lastSeenAt) return false;
  const newest = Math.max(...all.map(({ lastSeenAt }) => (lastSeenAt ? Date.parse(lastSeenAt) : 0)));
  return newest - Date.parse(node.lastSeenAt) > silentMs;
}

/** The versions that live nodes run, when there is more than one. */
export function versionSkew(nodes: readonly GantryNode[]): string[] {
  const versions = [...new Set(nodes.filter(({ state }) => state !== 'gone').map(({ version }) => version))];
  return versions.length > 1 ? versions.sort() : [];
}

export function skewText(node: GantryNode): string {
  const { clockSkewMs: skew } = node;
  if (skew === undefined) return text.unknown;
  if (Math.abs(skew) <= exactMs) return text.exact;
  return skew > 0 ? text.ahead(formatDuration(skew)) : text.behind(formatDuration(-skew));
}

/** What a draining node still carries. */
export function whatIsLeft(node: GantryNode): { streams: number; inFlight: number } {
  return { streams: node.streams + (node.listens ?? 0), inFlight: node.inFlight };
}

/** True when no other node would be ready if this one drained. */
export function isLastReady(node: GantryNode, all: readonly GantryNode[]): boolean {
  return !all.some(({ id, state, role }) => id !== node.id && state === 'ready' && role !== 'worker');
}
