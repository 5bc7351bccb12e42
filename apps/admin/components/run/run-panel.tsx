'use client';
import { Play, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import { useModKey } from '@/components/shell/hotkeys';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { t } from '@/strings';

interface RunPanelProps {
  title: ReactNode;
  hint: string;
  /** Why nothing can be run here; then the rest is not shown. */
  off?: string;
  run: string;
  running: boolean;
  disabled?: boolean;
  onRun: () => void;
  onCancel: () => void;
  actions?: ReactNode;
  /** What is filled in before the run. */
  children: ReactNode;
  /** What the run says. */
  outcome: ReactNode;
}

/** Fill in, run, watch it answer, cancel. */
export function RunPanel(props: RunPanelProps) {
  const { title, hint, off, run, running, disabled, onRun, onCancel, actions, children, outcome } = props;
  const ready = off === undefined && !running && !disabled;
  useModKey('Enter', onRun, ready);
  return (
    <section className="flex min-w-0 flex-col gap-4 rounded-lg border bg-surface p-4">
      <header className="flex items-center justify-between gap-3">
        <h2 className="min-w-0 break-words font-semibold text-base">{title}</h2>
        {actions}
      </header>
      {off !== undefined ? (
        <p className="text-muted text-sm">{off}</p>
      ) : (
        <>
          {children}
          <div className="flex items-center gap-2">
            <Button variant="primary" onClick={onRun} disabled={!ready}>
              <Play /> {run}
            </Button>
            {running ? (
              <Button onClick={onCancel}>
                <Square /> {t.tryIt.cancel}
              </Button>
            ) : (
              <span className="hidden items-center gap-1 sm:flex" aria-hidden>
                <Kbd>Ctrl</Kbd>
                <Kbd>Enter</Kbd>
              </span>
            )}
          </div>
          {outcome}
        </>
      )}
      <p className="text-muted text-xs">{hint}</p>
    </section>
  );
}
