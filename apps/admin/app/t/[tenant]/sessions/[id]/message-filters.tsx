'use client';
import { useMemo } from 'react';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/input';
import { type Exchange, lanes } from '@/data/sessions/exchanges';
import { t } from '@/strings';
import type { useTimelineUrl } from './use-timeline-url';

const text = t.sessions.messages;

interface MessageFiltersProps {
  url: ReturnType<typeof useTimelineUrl>;
  all: readonly Exchange[];
}

/** Which of the messages the table shows, beside the range that the drawing chooses. */
export function MessageFilters({ url, all }: MessageFiltersProps) {
  const methods = useMemo(() => [...new Set(all.map(({ method }) => method).filter(Boolean))].sort(), [all]);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        className="w-44"
        aria-label={text.lane}
        value={url.lane ?? ''}
        onChange={(event) => url.setUrl({ lane: (event.target.value || null) as typeof url.lane })}
      >
        <option value="">{text.anyLane}</option>
        {lanes.map((lane) => (
          <option key={lane} value={lane}>
            {t.sessions.timeline.lane[lane]}
          </option>
        ))}
      </Select>
      <Select
        className="w-44"
        aria-label={text.method}
        value={url.method ?? ''}
        onChange={(event) => url.setUrl({ method: event.target.value || null })}
      >
        <option value="">{text.anyMethod}</option>
        {[...new Set([...methods, ...(url.method ? [url.method] : [])])].map((method) => (
          <option key={method} value={method}>
            {method}
          </option>
        ))}
      </Select>
      {url.view && (
        <Button size="sm" variant="ghost" onClick={() => url.setView(undefined)}>
          {text.wholeRange}
        </Button>
      )}
    </div>
  );
}
