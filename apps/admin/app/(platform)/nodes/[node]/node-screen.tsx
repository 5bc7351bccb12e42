'use client';
import type { GantryNode } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { FactList, type FactRow } from '@/components/page/fact-list';
import { LivePill } from '@/components/page/live-pill';
import { PageHeader } from '@/components/page/page-header';
import { QueryPanel } from '@/components/page/query-panel';
import { TimeAgo, useNow } from '@/components/page/time-ago';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { CopyButton } from '@/components/ui/copy-button';
import { useLiveNodes } from '@/data/nodes/live';
import { nodesQuery } from '@/data/nodes/queries';
import { formatBytes, formatDuration, formatSpan } from '@/lib/format';
import { t } from '@/strings';
import { NodeActions } from '../_node/node-actions';
import { NodeBadges } from '../_node/node-badges';
import { skewText } from '../_node/node-model';
import { NodeStateNote } from '../_node/node-state-note';
import { Trends } from './trends';

const text = t.nodes;

export function NodeScreen({ id, mayDrain }: { id: string; mayDrain: boolean }) {
  const { refetchInterval } = useLiveNodes();
  const query = useQuery({ ...nodesQuery(), refetchInterval });
  const node = query.data?.items.find((one) => one.id === id);
  const all = query.data?.items ?? [];
  return (
    <div className="flex flex-col gap-5">
      <nav aria-label={t.shell.breadcrumb} className="text-muted text-sm">
        <Link href="/nodes" className="hover:text-text hover:underline">
          {text.all}
        </Link>
      </nav>
      <PageHeader
        title={<span className="font-mono">{id}</span>}
        facts={
          <>
            <CopyButton text={id} what={id} />
            {node && <NodeBadges node={node} all={all} />}
          </>
        }
        description={node && <NodeStateNote node={node} />}
        actions={
          <>
            <LivePill />
            {node && mayDrain && <NodeActions node={node} all={all} />}
          </>
        }
      />
      <QueryPanel query={query}>
        {() =>
          node ? (
            <NodeFacts node={node} />
          ) : (
            <Callout
              tone="info"
              title={text.notFound}
              actions={
                <Button asChild size="sm">
                  <Link href="/nodes">{text.all}</Link>
                </Button>
              }
            >
              {text.notFoundText}
            </Callout>
          )
        }
      </QueryPanel>
    </div>
  );
}

function NodeFacts({ node }: { node: GantryNode }) {
  const now = useNow();
  const known = (value: number | undefined, format: (value: number) => string) =>
    value === undefined ? text.unknown : format(value);
  const facts: FactRow[] = [
    [text.version, node.version],
    [text.role, text.roles[node.role]],
    [text.address, <code key="url">{node.url}</code>],
    [text.started, <TimeAgo key="at" at={node.startedAt} />],
    node.goneAt
      ? [text.goneAt, <TimeAgo key="gone" at={node.goneAt} />]
      : [text.uptime, now ? formatSpan(now - Date.parse(node.startedAt)) : ''],
    [text.lastBeat, node.lastSeenAt ? <TimeAgo key="beat" at={node.lastSeenAt} /> : text.unknown],
    [text.skew, skewText(node)],
  ];
  const load: FactRow[] = [
    [text.sessions, node.sessions, text.sessionsHint],
    [text.streams, node.streams, text.streamsHint],
    [text.listens, known(node.listens, String), text.listensHint],
    [text.inFlight, node.inFlight, text.inFlightHint],
    [text.memory, known(node.rssBytes, formatBytes)],
    [text.heap, known(node.heapBytes, formatBytes)],
    [text.lag, known(node.eventLoopLagMs, formatDuration), text.lagHint],
  ];
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <FactList title={text.facts} rows={facts} />
      <FactList title={text.load} rows={load} />
      <Trends node={node} />
    </div>
  );
}
