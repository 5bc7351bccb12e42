'use client';
import { LoaderCircle } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { ProblemView } from '@/components/page/problem-callout';
import { QuestionRound } from '@/components/questions/question-round';
import { Badge } from '@/components/ui/badge';
import { Callout } from '@/components/ui/callout';
import { formatBytes, formatDuration } from '@/lib/format';
import { isObject } from '@/lib/json';
import type { Asked, InputResponses } from '@/lib/questions/requests';
import type { Progress, RunState } from '@/lib/run/run-state';
import { t } from '@/strings';
import { LogList } from './log-list';

const text = t.tryIt;

interface RunViewProps<R> {
  state: RunState<R>;
  /** The run stands still until somebody answers what is asked beside it. */
  waiting?: boolean;
  /** Goes on with the answers to what the run asks. */
  onAnswer: (asked: Asked, responses: InputResponses) => void;
  onCancel: () => void;
  /** Draws the result. */
  children: (result: R) => ReactNode;
}

/** What a run says and asks, while it does. */
export function RunView<R>({ state, waiting, onAnswer, onCancel, children }: RunViewProps<R>) {
  if (state.status === 'idle') return null;
  const { asked } = state;
  return (
    <div className="flex flex-col gap-3 border-t pt-4">
      <div className="flex min-h-5 items-center gap-3 text-sm" role="status">
        {state.status === 'asking' || (waiting && state.status === 'running') ? (
          <Badge tone="info">{text.asking}</Badge>
        ) : state.status === 'running' ? (
          <>
            <LoaderCircle className="size-4 animate-spin text-accent-text" aria-hidden />
            <span>{text.running}</span>
            <Elapsed since={state.startedAt} />
          </>
        ) : (
          <Outcome state={state} />
        )}
      </div>
      {state.progress && <ProgressBar progress={state.progress} />}
      {state.logs.length > 0 && <LogList logs={state.logs} dropped={state.logsDropped} />}
      {state.status === 'cancelled' && <Callout tone="info" title={text.cancelled} />}
      {state.problem && <ProblemView problem={state.problem} title={state.problem.title || text.failed} />}
      {asked && (
        <QuestionRound
          // A question asked again is a new one, with an empty form.
          key={asked.requestState ?? Object.keys(asked.inputRequests).join()}
          asked={asked}
          onDone={(responses) => onAnswer(asked, responses)}
          onRefuse={onCancel}
        />
      )}
      {state.result !== undefined && children(state.result)}
    </div>
  );
}

function Outcome({ state }: { state: RunState<unknown> }) {
  const [tone, word] =
    state.status === 'cancelled'
      ? (['neutral', t.access.calls.statuses.cancelled] as const)
      : state.problem
        ? (['danger', text.failed] as const)
        : isObject(state.result) && state.result.isError
          ? (['warn', text.toolError] as const)
          : (['ok', text.done] as const);
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      <span className="text-muted text-xs tabular-nums">
        {formatDuration(state.durationMs)}
        {state.result !== undefined &&
          ` · ${formatBytes(new TextEncoder().encode(JSON.stringify(state.result)).length)}`}
      </span>
    </>
  );
}

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="font-mono text-muted text-xs tabular-nums" aria-hidden>
      {formatDuration(Math.max(now - since, 0))}
    </span>
  );
}

export function ProgressBar({ progress: { progress, total, message } }: { progress: Progress }) {
  const share = total ? Math.min(Math.max(progress / total, 0), 1) : undefined;
  return (
    <div className="flex flex-col gap-1">
      <div className="flex justify-between gap-3 text-muted text-xs">
        <span className="min-w-0 truncate">{message ?? text.progress}</span>
        <span className="shrink-0 font-mono tabular-nums">{total ? text.progressOf(progress, total) : progress}</span>
      </div>
      <div
        role="progressbar"
        aria-label={text.progress}
        aria-valuenow={progress}
        aria-valuemin={0}
        aria-valuemax={total}
        className="h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-150"
          style={{ width: share === undefined ? '100%' : `${share * 100}%`, opacity: share === undefined ? 0.4 : 1 }}
        />
      </div>
    </div>
  );
}
