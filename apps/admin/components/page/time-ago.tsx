'use client';
import { useSyncExternalStore } from 'react';
import { formatAgo, formatLocal } from '@/lib/format';

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const tell of listeners) tell();
  }, 15_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The time now, moved on every 15 s for all who ask; 0 on the server, which must not guess it for the page. */
export function useNow(): number {
  return useSyncExternalStore(
    subscribe,
    () => now,
    () => 0,
  );
}

/** How long ago; UTC on hover. The server, which knows no time zone of the reader, shows the UTC day. */
export function TimeAgo({ at }: { at: string }) {
  const current = useNow();
  return (
    <time
      dateTime={at}
      title={`${at}${current ? `\n${formatLocal(at)}` : ''}`}
      className="whitespace-nowrap tabular-nums"
    >
      {current ? formatAgo(at, steady(Date.parse(at), current)) : at.slice(0, 10)}
    </time>
  );
}

/** What the server stamped a moment ago may lie ahead of a clock that is a little slow, or of our last tick. */
function steady(at: number, current: number): number {
  return at > current && at - current < 60_000 ? at : current;
}
