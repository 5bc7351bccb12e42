'use client';
import { useEffect } from 'react';

/** Where the reader's choice about single-key shortcuts is kept. */
const storageKey = 'gantry.single-keys';

export function singleKeysEnabled(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  try {
    localStorage.setItem(storageKey, on ? 'on' : 'off');
  } catch {
    // Storage may be forbidden; then the choice lasts as long as the page.
  }
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Ctrl on most keyboards, ⌘ on a Mac. */
export function isMod(event: KeyboardEvent | React.KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey;
}

/** Calls `run` on Ctrl/⌘ and `key`, wherever the focus is, while `active`. */
export function useModKey(key: string, run: () => void, active = true): void {
  useEffect(() => {
    if (!active) return;
    const listen = (event: KeyboardEvent) => {
      if (!isMod(event) || event.key.toLowerCase() !== key.toLowerCase()) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [key, run, active]);
}
