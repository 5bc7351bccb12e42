'use client';
import { type ReactNode, useRef, useState } from 'react';
import { ProblemCallout } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { DialogClose, DialogContent, DialogFooter, DialogRoot } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { t } from '@/strings';

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Verb and object, e.g. "Revoke the key laptop?" */
  title: string;
  /** What it will do, measured where it can be. */
  children: ReactNode;
  /** Verb and object again, on the button. */
  action: string;
  /** Tier 2: the name that has to be typed first. */
  typed?: string;
  /** Rejects to keep the dialog open with the reason. */
  onConfirm: () => Promise<unknown>;
}

/** Tier 1 (dialog) and tier 2 (typed name) of confirmation. Focus starts on Cancel. */
export function ConfirmDialog({ open, onOpenChange, title, children, action, typed, onConfirm }: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();

  function change(next: boolean) {
    setText('');
    setError(undefined);
    onOpenChange(next);
  }

  async function confirm() {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      change(false);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }

  return (
    <DialogRoot open={open} onOpenChange={change}>
      <DialogContent
        title={title}
        role="alertdialog"
        width="max-w-md"
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          cancel.current?.focus();
        }}
      >
        <div className="flex flex-col gap-3 text-sm">
          {children}
          {typed && (
            <Field label={t.common.typeToConfirm(typed)}>
              {(control) => (
                <Input
                  {...control}
                  className="font-mono"
                  autoComplete="off"
                  value={text}
                  onChange={(e) => setText(e.target.value)}
                />
              )}
            </Field>
          )}
          {error !== undefined && <ProblemCallout error={error} />}
        </div>
        <DialogFooter>
          <DialogClose asChild>
            <Button ref={cancel}>{t.common.cancel}</Button>
          </DialogClose>
          <Button variant="danger" disabled={busy || (typed !== undefined && text !== typed)} onClick={confirm}>
            {action}
          </Button>
        </DialogFooter>
      </DialogContent>
    </DialogRoot>
  );
}
