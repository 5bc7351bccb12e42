'use client';
import { CircleAlert, CircleCheck, Pause, Play, RefreshCw } from 'lucide-react';
import { cn } from '@/components/cn';
import { TimeAgo } from '@/components/page/time-ago';
import { Button } from '@/components/ui/button';
import { useLiveStatus } from '@/lib/live/use-live';
import { t } from '@/strings';

const text = t.live;
const looks = {
  idle: ['border-line bg-sunken text-muted', RefreshCw],
  connecting: ['border-line bg-sunken text-muted', RefreshCw],
  live: ['border-ok-line bg-ok-soft text-ok', CircleCheck],
  reconnecting: ['border-warn-line bg-warn-soft text-warn', RefreshCw],
  delayed: ['border-warn-line bg-warn-soft text-warn', CircleAlert],
  paused: ['border-info-line bg-info-soft text-info', Pause],
  closed: ['border-line bg-sunken text-muted', CircleAlert],
} as const;

/** How fresh the page is, and the button that stops it for a moment. The age is that of the last event, not of a beat. */
export function LivePill() {
  const { status, pause, resume } = useLiveStatus();
  const { state, lastEventAt } = status;
  const [look, Icon] = looks[state];
  const paused = state === 'paused';
  return (
    <div className="flex items-center gap-1">
      <span
        data-live={state}
        title={text.hints[state]}
        className={cn('inline-flex h-6 items-center gap-1.5 rounded-full border px-2 font-medium text-2xs', look)}
      >
        <Icon className="size-3" aria-hidden />
        <span role="status">{text.states[state]}</span>
        {lastEventAt !== undefined && (
          <span className="font-normal opacity-90">
            <TimeAgo at={new Date(lastEventAt).toISOString()} />
          </span>
        )}
      </span>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={paused ? text.resume : text.pause}
        disabled={state === 'closed' || state === 'idle'}
        onClick={paused ? resume : pause}
      >
        {paused ? <Play /> : <Pause />}
      </Button>
    </div>
  );
}
