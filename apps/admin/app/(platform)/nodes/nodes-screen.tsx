'use client';
import { useQuery } from '@tanstack/react-query';
import { NothingYet } from '@/components/page/empty-state';
import { LivePill } from '@/components/page/live-pill';
import { PageHeader } from '@/components/page/page-header';
import { QueryPanel } from '@/components/page/query-panel';
import { Callout } from '@/components/ui/callout';
import { useLiveNodes } from '@/data/nodes/live';
import { nodesQuery } from '@/data/nodes/queries';
import { t } from '@/strings';
import { versionSkew } from './_node/node-model';
import { NodeCard } from './node-card';

const text = t.nodes;

export function NodesScreen({ mayDrain }: { mayDrain: boolean }) {
  const { refetchInterval } = useLiveNodes();
  const query = useQuery({ ...nodesQuery(), refetchInterval });
  return (
    <div className="flex flex-col gap-5">
      <PageHeader title={text.title} description={text.hint} actions={<LivePill />} />
      <QueryPanel query={query}>
        {({ items, cut }) => {
          if (items.length === 0) return <NothingYet title={text.empty}>{text.hint}</NothingYet>;
          const living = items.filter(({ state }) => state !== 'gone');
          const versions = versionSkew(items);
          return (
            <>
              <p className="text-muted text-xs tabular-nums" aria-live="polite">
                {text.summary(living.filter(({ state }) => state === 'ready').length, living.length)}
              </p>
              {cut && <p className="text-muted text-xs">{t.common.cutList(items.length)}</p>}
              {versions.length > 0 && (
                <Callout tone="warn" title={text.versionSkew(versions.join(', '))}>
                  {text.versionSkewText}
                </Callout>
              )}
              <section
                aria-label={text.caption}
                className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,320px),1fr))] gap-4"
              >
                {items.map((node) => (
                  <NodeCard key={node.id} node={node} all={items} mayDrain={mayDrain} />
                ))}
              </section>
            </>
          );
        }}
      </QueryPanel>
    </div>
  );
}
