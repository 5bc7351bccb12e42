'use client';
import type { GantryNode } from '@gantry/contracts';
import type { ReactNode } from 'react';
import { TimeAgo, useNow } from '@/components/page/time-ago';
import { RowLink } from '@/components/table/row-link';
import { formatBytes, formatDuration, formatSpan } from '@/lib/format';
import { t } from '@/strings';
import { NodeActions } from './_node/node-actions';
import { NodeBadges } from './_node/node-badges';
import { skewText } from './_node/node-model';
import { NodeStateNote } from './_node/node-state-note';

const text = t.nodes;

interface NodeCardProps {
  node: GantryNode;
  all: readonly GantryNode[];
  mayDrain: boolean;
}

/** One node: what it is, what it carries now, and how well it breathes. */
export function NodeCard({ node, all, mayDrain }: NodeCardProps) {
  const now = useNow();
  const uptime = now ? formatSpan(Math.max(0, now - Date.parse(node.startedAt))) : '';
  return (
    <article aria-label={node.id} className="flex min-w-0 flex-col gap-3 rounded-lg border bg-surface p-4">
      <header className="flex flex-wrap items-start gap-2">
        <h2 className="min-w-0 flex-1 truncate font-mono text-sm leading-6">
          <RowLink href={`/nodes/${encodeURIComponent(node.id)}`}>{node.id}</RowLink>
        </h2>
        <NodeBadges node={node} all={all} />
      </header>
      <dl className="grid grid-cols-4 gap-x-3 gap-y-2 border-y py-2.5">
        <Count label={text.sessions} hint={text.sessionsHint} value={node.sessions} />
        <Count label={text.streams} hint={text.streamsHint} value={node.streams} />
        <Count label={text.listens} hint={text.listensHint} value={node.listens} />
        <Count label={text.inFlight} hint={text.inFlightHint} value={node.inFlight} />
      </dl>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs">
        <Fact label={text.version}>
          {node.version} <span className="text-muted">· {text.roles[node.role]}</span>
        </Fact>
        {node.state === 'gone' ? (
          <Fact label={text.goneAt}>{node.goneAt ? <TimeAgo at={node.goneAt} /> : text.unknown}</Fact>
        ) : (
          <Fact label={text.uptime}>{uptime}</Fact>
        )}
        <Fact label={text.memory}>
          {node.rssBytes === undefined ? text.unknown : formatBytes(node.rssBytes)}
          {node.heapBytes !== undefined && (
            <span className="text-muted"> · {text.ofWhichHeap(formatBytes(node.heapBytes))}</span>
          )}
        </Fact>
        <Fact label={text.lag} title={text.lagHint}>
          {node.eventLoopLagMs === undefined ? text.unknown : formatDuration(node.eventLoopLagMs)}
        </Fact>
        {node.clockSkewMs !== undefined && <Fact label={text.skew}>{skewText(node)}</Fact>}
        <Fact label={text.lastBeat}>{node.lastSeenAt ? <TimeAgo at={node.lastSeenAt} /> : text.unknown}</Fact>
      </dl>
      <NodeStateNote node={node} />
      {mayDrain && node.state !== 'gone' && (
        <footer className="mt-auto flex justify-end">
          <NodeActions node={node} all={all} />
        </footer>
      )}
    </article>
  );
}

function Count({ label, hint, value }: { label: string; hint: string; value: number | undefined }) {
  return (
    <div className="min-w-0" title={hint}>
      <dt className="truncate text-2xs text-muted">{label}</dt>
      <dd className="font-mono text-base tabular-nums">{value ?? '–'}</dd>
    </div>
  );
}

function Fact({ label, title, children }: { label: string; title?: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted" title={title}>
        {label}
      </dt>
      <dd className="min-w-0 truncate text-right tabular-nums">{children}</dd>
    </>
  );
}
