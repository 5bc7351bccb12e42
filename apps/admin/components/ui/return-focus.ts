'use client';
import { useState } from 'react';

let opener: HTMLElement | undefined;

/** What opened a dialog that is being drawn: of a menu its trigger, of a dialog that follows another the first's. */
function findOpener(): HTMLElement | undefined {
  const active = typeof document === 'undefined' ? null : document.activeElement;
  if (!(active instanceof HTMLElement) || active === document.body) {
    opener = undefined;
  } else if (!active.closest('[role=dialog],[role=alertdialog]')) {
    const trigger = active.closest('[role=menu]')?.getAttribute('aria-labelledby');
    opener = (trigger ? document.getElementById(trigger) : undefined) ?? active;
  }
  return opener;
}

/**
 * Gives focus back to what had it when the calling component was first drawn: for `onCloseAutoFocus` of dialogs that
 * are opened by state. Radix itself knows triggers only, and would leave the focus nowhere.
 */
export function useReturnFocus(): (event: Event) => void {
  const [target] = useState(findOpener);
  return (event) => {
    event.preventDefault();
    target?.focus();
  };
}
