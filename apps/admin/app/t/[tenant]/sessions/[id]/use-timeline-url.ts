'use client';
import { parseAsFloat, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { lanes } from '@/data/sessions/exchanges';
import type { Span } from './_timeline/layout';

/** What of the messages is shown, as the URL keeps it; times are epoch milliseconds. */
export function useTimelineUrl() {
  const [{ from, to, ...rest }, setUrl] = useQueryStates({
    lane: parseAsStringLiteral(lanes),
    method: parseAsString,
    from: parseAsFloat,
    to: parseAsFloat,
    msg: parseAsString,
  });
  return {
    ...rest,
    view: from !== null && to !== null && from < to ? ({ from, to } satisfies Span) : undefined,
    setUrl,
    setView: (view: Span | undefined) =>
      setUrl({ from: view ? Math.round(view.from) : null, to: view ? Math.round(view.to) : null }),
    setMessage: (msg: string | null) => setUrl({ msg }),
    clear: () => setUrl({ lane: null, method: null, from: null, to: null }),
  };
}
