'use client';
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { cn } from '@/components/cn';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/code-block';
import { t } from '@/strings';
import type { Trace, TraceEntry, TraceStore } from './_client/trace';

const text = t.playground.trace;
const none: Trace = { entries: [], dropped: 0 };

/** Every message of the connection, the newest last; follows it until the reader scrolls away. */
export function TracePanel({ trace }: { trace: TraceStore }) {
  const { entries, dropped } = useSyncExternalStore(trace.subscribe, trace.snapshot, () => none);
  const box = useRef<HTMLOListElement>(null);
  const follow = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is what moves the view
  useEffect(() => {
    if (follow.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [entries]);
  return (
    <section
      aria-label={text.title}
      className="flex min-w-0 flex-col rounded-lg border bg-surface xl:sticky xl:top-6 xl:max-h-[calc(100dvh-48px)]"
    >
      <header className="flex items-center gap-3 border-b py-2 pr-2 pl-4">
        <h2 className="font-semibold text-base">{text.title}</h2>
        <p className="flex-1 text-muted text-xs tabular-nums" aria-live="polite">
          {entries.length > 0 && text.count(entries.length)}
          {dropped > 0 && ` · ${text.dropped(dropped)}`}
        </p>
        <Button size="sm" variant="ghost" disabled={entries.length === 0} onClick={() => trace.clear()}>
          {text.clear}
        </Button>
      </header>
      {entries.length === 0 ? (
        <p className="px-4 py-6 text-muted text-sm">{text.empty}</p>
      ) : (
        <ol
          ref={box}
          aria-label={text.title}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
          tabIndex={0}
          className="max-h-[60dvh] min-h-0 overflow-y-auto xl:max-h-none"
          onScroll={(event) => {
            const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
            follow.current = scrollHeight - scrollTop - clientHeight < 24;
          }}
        >
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
    </section>
  );
}

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

function Row({ entry }: { entry: TraceEntry }) {
  const [open, setOpen] = useState(false);
  const Arrow = entry.direction === 'out' ? ArrowUpRight : ArrowDownLeft;
  const bad = entry.kind === 'error' || entry.fault !== undefined || (entry.status ?? 0) >= 400;
  return (
    <li className="border-b last:border-b-0">
      <button
        type="button"
        aria-expanded={open}
        disabled={entry.text === ''}
        onClick={() => setOpen(!open)}
        className="grid min-h-8 w-full grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-2 px-4 py-1 text-left text-xs focus-visible:outline-offset-[-2px] enabled:hover:bg-hover"
      >
        <Arrow
          className={cn('size-3.5', entry.direction === 'out' ? 'text-accent-text' : 'text-ok')}
          aria-label={entry.direction === 'out' ? text.out : text.in}
        />
        <span className="min-w-0 truncate">
          <code className="font-medium">{entry.method || text.kinds[entry.kind]}</code>
          <span className={cn('ml-2', bad ? 'text-danger' : 'text-muted')}>
            {text.kinds[entry.kind]}
            {entry.rpcId !== undefined && ` ${entry.rpcId}`}
          </span>
        </span>
        <span className="flex gap-2 font-mono text-2xs text-muted tabular-nums">
          <span className={cn(bad && 'text-danger')}>
            {entry.http} {entry.fault ?? entry.status ?? text.pending}
          </span>
          <time dateTime={new Date(entry.at).toISOString()}>{clock.format(entry.at)}</time>
        </span>
      </button>
      {open && (
        <div className="px-4 pb-2">
          <CodeBlock label={entry.method || text.kinds[entry.kind]} className="max-h-80" wrap>
            {entry.text}
          </CodeBlock>
          {entry.chars > entry.text.length && <p className="text-muted text-xs">{text.cut(entry.chars)}</p>}
        </div>
      )}
    </li>
  );
}
