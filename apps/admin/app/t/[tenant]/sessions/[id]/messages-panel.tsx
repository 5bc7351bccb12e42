'use client';
import type { SessionMessage } from '@gantry/contracts';
import type { UseQueryResult } from '@tanstack/react-query';
import { Pause, Play } from 'lucide-react';
import { useMemo } from 'react';
import { NothingMatches } from '@/components/page/empty-state';
import { QueryProblem } from '@/components/page/query-problem';
import { useTick } from '@/components/page/use-tick';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { type Exchange, lanes, toExchanges } from '@/data/sessions/exchanges';
import type { LiveSession } from '@/data/sessions/live';
import type { Walked } from '@/lib/api/query';
import { t } from '@/strings';
import { type Mark, wholeSpan } from './_timeline/layout';
import { Timeline } from './_timeline/timeline';
import { ExchangeTable } from './exchange-table';
import { MessageFilters } from './message-filters';
import { useTimelineUrl } from './use-timeline-url';

const text = t.sessions.messages;
const laneLabels = lanes.map((id) => ({ id, label: t.sessions.timeline.lane[id] }));

interface MessagesPanelProps {
  live: LiveSession;
  query: UseQueryResult<Walked<SessionMessage>>;
  over: boolean;
}

/** The messages of the session, as a drawing and as a table; both show the same range. */
export function MessagesPanel({ live, query, over }: MessagesPanelProps) {
  const { buffer } = live;
  const url = useTimelineUrl();
  const all = useMemo(() => toExchanges(buffer.messages), [buffer.messages]);
  const open = !over && !buffer.paused && all.some(({ to }) => to === undefined);
  const tick = useTick(1_000, open);
  // The clock of the nodes and that of the reader differ: what is there is never later than now.
  const newest = all.reduce((latest, { from, to }) => Math.max(latest, to ?? from), 0);
  const now = open ? Math.max(tick, newest) : newest;
  const marks = useMemo(() => all.map(markOf), [all]);
  const view = url.view ?? wholeSpan(marks, now);
  const inView = all.filter(
    ({ from, to, lane, method }) =>
      from <= view.to &&
      (to ?? now) >= view.from &&
      (url.lane === null || lane === url.lane) &&
      (url.method === null || method === url.method),
  );
  const filters = [url.lane && t.sessions.timeline.lane[url.lane], url.method, url.view && text.range].filter(
    (part): part is string => Boolean(part),
  );

  return (
    <section aria-label={text.title} className="flex flex-col gap-3">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="font-semibold text-base">{text.title}</h2>
        <p className="flex-1 text-muted text-xs tabular-nums" aria-live="polite">
          {text.counted(buffer.messages.length)}
          {buffer.paused && ` · ${text.waiting(buffer.waiting.length)}`}
        </p>
        {!over && (
          <Button
            size="sm"
            aria-pressed={!buffer.paused}
            onClick={() => live.tell({ type: buffer.paused ? 'follow' : 'pause' })}
          >
            {buffer.paused ? <Play /> : <Pause />} {buffer.paused ? text.follow : text.pause}
          </Button>
        )}
      </header>
      {buffer.dropped + buffer.missed > 0 && (
        <Callout tone="info" title={text.dropped(buffer.dropped + buffer.missed)}>
          {text.droppedHint}
        </Callout>
      )}
      {!over && buffer.messages.length === 0 && <QueryProblem query={query} />}
      {all.length === 0 ? (
        <div className="rounded-lg border border-dashed bg-surface px-6 py-8">
          <p className="font-semibold text-sm">{text.empty}</p>
          <p className="text-muted text-sm">{text.emptyText}</p>
        </div>
      ) : (
        <>
          <Timeline
            marks={marks}
            lanes={laneLabels}
            view={view}
            now={now}
            narrowed={url.view !== undefined}
            onView={url.setView}
            selected={url.msg ?? undefined}
            onSelect={url.setMessage}
          />
          <MessageFilters url={url} all={all} />
          {inView.length === 0 ? (
            <NothingMatches filters={filters} onClear={url.clear} />
          ) : (
            <ExchangeTable items={inView} selected={url.msg} onSelect={url.setMessage} />
          )}
        </>
      )}
    </section>
  );
}

function markOf({ id, lane, from, to, method, name, outcome }: Exchange): Mark {
  const what = [method || text.stream, name].filter(Boolean).join(' ');
  return { id, lane, from, to, label: what, bad: outcome === 'error' };
}
