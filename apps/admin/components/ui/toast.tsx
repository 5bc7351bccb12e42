'use client';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { Button } from '@/components/ui/button';
import { t } from '@/strings';

interface Toast {
  text: string;
  tone?: 'ok' | 'warn';
  /** Tier 0: what takes the change back, offered for 10 s. */
  undo?: () => void;
}

type Shown = Toast & { id: number };

let shown: readonly Shown[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: readonly Shown[]) {
  shown = next;
  for (const listener of listeners) listener();
}

/** Says in passing that something worked. Never the only report of an error. */
export function toast(message: Toast): void {
  nextId += 1;
  set([...shown.slice(-2), { ...message, id: nextId }]);
}

const dismiss = (id: number) => set(shown.filter((entry) => entry.id !== id));
const none: readonly Shown[] = [];

export function Toaster() {
  const entries = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
    () => none,
  );
  return (
    <div role="status" className="pointer-events-none fixed right-4 bottom-4 left-4 z-50 flex flex-col items-end gap-2">
      {entries.map((entry) => (
        <ToastCard key={entry.id} entry={entry} />
      ))}
    </div>
  );
}

function ToastCard({ entry }: { entry: Shown }) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(entry.id), entry.undo ? 10_000 : 4_000);
    return () => clearTimeout(timer);
  }, [entry]);
  const Icon = entry.tone === 'warn' ? CircleAlert : CircleCheck;
  return (
    <div className="pointer-events-auto flex max-w-sm animate-appear items-center gap-2 rounded-md border bg-surface py-2 pr-2 pl-3 text-sm shadow-float">
      <Icon className={entry.tone === 'warn' ? 'size-4 shrink-0 text-warn' : 'size-4 shrink-0 text-ok'} aria-hidden />
      <span className="min-w-0 flex-1">{entry.text}</span>
      {entry.undo && (
        <Button
          size="sm"
          onClick={() => {
            entry.undo?.();
            dismiss(entry.id);
          }}
        >
          {t.common.undo}
        </Button>
      )}
      <Button variant="ghost" size="icon-sm" aria-label={t.common.close} onClick={() => dismiss(entry.id)}>
        <X />
      </Button>
    </div>
  );
}
