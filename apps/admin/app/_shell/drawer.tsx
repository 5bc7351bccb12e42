'use client';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useReturnFocus } from '@/components/ui/return-focus';
import { t } from '@/strings';

/** The rail on narrow screens, over the page from its left edge. */
export function Drawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const returnFocus = useReturnFocus();
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          className="fixed inset-y-0 left-0 z-50 w-[272px] animate-appear border-r bg-sunken shadow-float"
        >
          <Dialog.Title className="sr-only">{t.shell.navigation}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
