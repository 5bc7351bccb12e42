'use client';
import { useEffect, useRef } from 'react';
import { cn } from '@/components/cn';
import type { LogLine } from '@/lib/run/run-state';
import { t } from '@/strings';

const text = t.tryIt;
const loud: Record<string, string> = {
  debug: 'text-muted',
  info: 'text-info',
  notice: 'text-info',
  warning: 'text-warn',
  error: 'text-danger',
  critical: 'text-danger',
  alert: 'text-danger',
  emergency: 'text-danger',
};

/** The log of a run; follows the newest line until the reader scrolls away from it. */
export function LogList({ logs, dropped }: { logs: LogLine[]; dropped: number }) {
  const box = useRef<HTMLOListElement>(null);
  const follow = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line is what moves the view
  useEffect(() => {
    if (follow.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [logs]);
  return (
    <section aria-label={text.logs}>
      <p className="mb-1 text-muted text-xs" aria-live="polite">
        {text.logCount(logs.length + dropped)}
        {dropped > 0 && ` · ${text.logsDropped(dropped)}`}
      </p>
      <ol
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={text.logs}
        className="max-h-44 overflow-auto rounded-md border bg-sunken p-2 font-mono text-xs leading-5"
        onScroll={(event) => {
          const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
          follow.current = scrollHeight - scrollTop - clientHeight < 24;
        }}
      >
        {logs.map((line) => (
          <li key={line.id} className="flex gap-2">
            <span className="w-14 shrink-0 text-right text-muted tabular-nums">{Math.round(line.at)} ms</span>
            <span className={cn('w-16 shrink-0', loud[line.level] ?? 'text-muted')}>{line.level}</span>
            <span className="min-w-0 whitespace-pre-wrap break-words">
              {typeof line.data === 'string' ? line.data : JSON.stringify(line.data)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
