'use client';
import type { GantryNode } from '@gantry/contracts';
import { Sparkline } from '@/components/page/sparkline';
import { formatBytes, formatDuration } from '@/lib/format';
import { t } from '@/strings';
import { useReadings } from './use-readings';

const text = t.nodes;
const series = [
  [text.inFlight, (node: GantryNode) => node.inFlight, String],
  [text.streams, (node: GantryNode) => node.streams + (node.listens ?? 0), String],
  [text.lag, (node: GantryNode) => node.eventLoopLagMs, formatDuration],
  [text.memory, (node: GantryNode) => node.rssBytes, formatBytes],
] as const;

/** How the node went while the page has been open; nothing of it is stored. */
export function Trends({ node }: { node: GantryNode }) {
  const readings = useReadings(node);
  return (
    <section aria-label={text.watched} className="rounded-lg border bg-surface lg:col-span-2">
      <h2 className="border-b px-4 py-2.5 font-semibold text-sm">{text.watched}</h2>
      {readings.length < 2 ? (
        <p className="px-4 py-6 text-muted text-sm">{text.watchedEmpty}</p>
      ) : (
        <dl className="grid gap-px bg-line sm:grid-cols-2 xl:grid-cols-4">
          {series.map(([label, of, format]) => {
            const values = readings.map(of).filter((value) => value !== undefined);
            if (values.length === 0) return null;
            const last = values.at(-1)!;
            const [min, max] = [Math.min(...values), Math.max(...values)];
            return (
              <div key={label} className="bg-surface px-4 py-3">
                <dt className="text-muted text-xs">{label}</dt>
                <dd>
                  <span className="font-mono text-base tabular-nums">{format(last)}</span>
                  <Sparkline
                    values={values}
                    label={text.readings(values.length, format(min), format(max), format(last))}
                  />
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </section>
  );
}
