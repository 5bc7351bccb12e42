'use client';
import { useEffect, useRef, useState } from 'react';

export interface HeldRow<T> {
  row: T;
  /** It left the list while the reader held it. */
  gone: boolean;
}

/** The rows that stand still: those that stood there, as they are now, and those that went, as they last were. */
export function holdRows<T extends { id: string }>(standing: readonly HeldRow<T>[], rows: readonly T[]) {
  const now = new Map(rows.map((row) => [row.id, row]));
  const shown = standing.map(({ row }) => {
    const next = now.get(row.id);
    now.delete(row.id);
    return { row: next ?? row, gone: next === undefined };
  });
  return { shown, waiting: now.size };
}

/**
 * Lets live rows stand still while `held`: values change in place, rows that end stay where they are, and new ones wait to
 * be shown, counted. They move again when the reader lets go, asks with `show`, or asks for other rows: `list` names
 * what was asked for.
 */
export function useHeldRows<T extends { id: string }>(rows: readonly T[], held: boolean, list = '') {
  const standing = useRef<{ list: string; rows: readonly HeldRow<T>[] }>(undefined);
  const [, redraw] = useState(0);
  const free = rows.map((row) => ({ row, gone: false }));
  const stands = held && standing.current?.list === list ? standing.current.rows : undefined;
  const { shown, waiting } = stands ? holdRows(stands, rows) : { shown: free, waiting: 0 };
  useEffect(() => {
    standing.current = { list, rows: shown };
  });
  return {
    shown,
    waiting,
    show: () => {
      standing.current = { list, rows: free };
      redraw((n) => n + 1);
    },
  };
}

/** How far a page is scrolled before its rows count as being read. */
const scrolledPx = 120;

/** Whether the reader points at the rows, has the focus in them, or has scrolled away from the top. */
export function useHold() {
  const [over, setOver] = useState(false);
  const [inside, setInside] = useState(false);
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = () => setScrolled(window.scrollY > scrolledPx);
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return {
    held: over || inside || scrolled,
    handlers: {
      // Not enter and leave: React tells of no entry when what was pointed at before is gone from the page.
      onPointerOver: (event: React.PointerEvent) => event.pointerType === 'mouse' && setOver(true),
      onPointerOut: (event: React.PointerEvent) => !isInside(event) && setOver(false),
      onFocus: (event: React.FocusEvent) => setInside(event.target.matches(':focus-visible')),
      onBlur: (event: React.FocusEvent) => !isInside(event) && setInside(false),
    },
  };
}

/** Whether the pointer or the focus goes on to something inside. */
function isInside({ currentTarget, relatedTarget }: React.PointerEvent | React.FocusEvent): boolean {
  return relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
}
