'use client';
import { useEffect } from 'react';
import { isMod, isTyping, singleKeysEnabled } from '@/components/shell/hotkeys';
import { focusRow } from '@/components/table/table';

interface Shortcuts {
  openPalette: () => void;
  openHelp: () => void;
  /** Second keys after "g". */
  go: Readonly<Record<string, () => void>>;
}

/** How long after "g" its second key is waited for. */
const sequenceMs = 1_000;

/** The shortcuts of every screen; single keys never fire in a field or behind a dialog. */
export function useShortcuts({ openPalette, openHelp, go }: Shortcuts): void {
  useEffect(() => {
    let leader = 0;
    const listen = (event: KeyboardEvent) => {
      if (isMod(event) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        openPalette();
        return;
      }
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (
        isTyping(event.target) ||
        document.querySelector('[role=dialog],[role=alertdialog],[role=menu]') ||
        !singleKeysEnabled()
      )
        return;
      if (event.timeStamp - leader < sequenceMs && go[event.key]) {
        leader = 0;
        event.preventDefault();
        go[event.key]!();
        return;
      }
      leader = event.key === 'g' ? event.timeStamp : 0;
      if (event.key === '?') openHelp();
      else if (event.key === '/') document.querySelector<HTMLElement>('[data-search]')?.focus();
      else if (event.key === 'j' || event.key === 'k') focusRow(null, event.key === 'j' ? 1 : -1);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [openPalette, openHelp, go]);
}
