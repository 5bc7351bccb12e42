'use client';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '@/components/cn';
import { Button } from '@/components/ui/button';
import { useReturnFocus } from '@/components/ui/return-focus';
import { t } from '@/strings';

export const DialogRoot = Radix.Root;
export const DialogTrigger = Radix.Trigger;
export const DialogClose = Radix.Close;

interface DialogContentProps extends Omit<ComponentProps<typeof Radix.Content>, 'title'> {
  title: ReactNode;
  description?: ReactNode;
  /** False while leaving would lose something: then only the content itself can close. */
  dismissable?: boolean;
  width?: string;
}

/** The middle of the screen; the bottom edge on a phone. Focus stays inside, and goes back on close. */
export function DialogContent(props: DialogContentProps) {
  return (
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-40 animate-late bg-black/40" />
      <Frame {...props} />
    </Radix.Portal>
  );
}

/** Drawn only while the dialog is open. */
function Frame({ title, description, dismissable = true, width = 'max-w-lg', children, ...props }: DialogContentProps) {
  const returnFocus = useReturnFocus();
  const guard = (event: Event) => {
    if (!dismissable) event.preventDefault();
  };
  return (
    <Radix.Content
      className={cn(
        'fixed inset-x-0 bottom-0 z-50 mx-auto max-h-[92dvh] w-full animate-appear overflow-y-auto rounded-t-lg border bg-surface p-5 shadow-float sm:top-[12vh] sm:bottom-auto sm:max-h-[80vh] sm:rounded-lg',
        width,
      )}
      {...(description ? {} : { 'aria-describedby': undefined })}
      onEscapeKeyDown={guard}
      onInteractOutside={guard}
      onCloseAutoFocus={returnFocus}
      {...props}
    >
      <header className="mb-4 pr-8">
        <Radix.Title className="font-semibold text-base">{title}</Radix.Title>
        {description && <Radix.Description className="mt-1 text-muted text-sm">{description}</Radix.Description>}
      </header>
      {children}
      {dismissable && (
        <Radix.Close asChild>
          <Button variant="ghost" size="icon-sm" className="absolute top-4 right-4" aria-label={t.common.close}>
            <X />
          </Button>
        </Radix.Close>
      )}
    </Radix.Content>
  );
}

export function DialogFooter({ children }: { children: ReactNode }) {
  return <footer className="mt-5 flex flex-wrap justify-end gap-2">{children}</footer>;
}
