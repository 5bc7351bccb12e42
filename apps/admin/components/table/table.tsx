'use client';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { KeyboardEvent, ReactNode, TdHTMLAttributes } from 'react';
import { cn } from '@/components/cn';
import { t } from '@/strings';

interface TableProps {
  /** What the table holds, for assistive technology. */
  caption: string;
  head: ReactNode;
  children: ReactNode;
  minWidth?: string;
}

/** A dense semantic table: 13 px, rows of 36 px, its own sideways scroll, sticky head. */
export function Table({ caption, head, children, minWidth = 'min-w-[640px]' }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section aria-label={caption} tabIndex={0} className="relative overflow-x-auto rounded-lg border bg-surface">
      <table className={cn('w-full border-collapse text-sm', minWidth)}>
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 z-10 bg-sunken text-left">
          <tr className="h-9 border-b">{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

interface ThProps {
  children: ReactNode;
  /** Set on columns that can be sorted. */
  sort?: { active: 'asc' | 'desc' | undefined; onToggle: () => void };
  align?: 'left' | 'right';
  className?: string;
}

export function Th({ children, sort, align = 'left', className }: ThProps) {
  const shape = cn(
    'whitespace-nowrap px-3 font-medium text-muted text-xs',
    align === 'right' && 'text-right',
    className,
  );
  if (!sort) {
    return (
      <th scope="col" className={shape}>
        {children}
      </th>
    );
  }
  const Arrow = sort.active === 'desc' ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      className={shape}
      aria-sort={sort.active === 'asc' ? 'ascending' : sort.active === 'desc' ? 'descending' : 'none'}
    >
      <button
        type="button"
        onClick={sort.onToggle}
        className={cn('inline-flex h-7 items-center gap-1 hover:text-text', align === 'right' && 'flex-row-reverse')}
        title={t.common.sortBy(String(children))}
      >
        {children}
        <Arrow className={cn('size-3', sort.active ? 'opacity-100' : 'opacity-0')} aria-hidden />
      </button>
    </th>
  );
}

/** j and k move between the row links, as do the arrow keys; Enter opens, being a link. */
export function moveRow(event: KeyboardEvent<HTMLElement>): void {
  const step =
    event.key === 'j' || event.key === 'ArrowDown' ? 1 : event.key === 'k' || event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  focusRow(event.currentTarget.closest('table'), step);
  event.preventDefault();
}

/** Moves focus by `step` among the row links of a table, or of the first table on the page. */
export function focusRow(table: Element | null, step: number): void {
  const links = [...(table ?? document).querySelectorAll<HTMLElement>('[data-row-link]')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + step, 0), links.length - 1);
  links[next]?.focus();
}

export function Tr({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <tr
      className={cn(
        'group/row h-9 border-b transition-colors duration-75 last:border-b-0 focus-within:bg-hover hover:bg-hover',
        className,
      )}
    >
      {children}
    </tr>
  );
}

/** Head of the column of actions; its name is for assistive technology. */
export function ActionTh({ children }: { children: string }) {
  return (
    <Th className="sticky right-0 bg-sunken">
      <span className="sr-only">{children}</span>
    </Th>
  );
}

/** What can be done with a row; stays in sight when a narrow screen scrolls the table sideways. */
export function ActionTd({ children }: { children: ReactNode }) {
  return (
    <Td className="sticky right-0 bg-surface text-right transition-colors duration-75 group-focus-within/row:bg-hover group-hover/row:bg-hover">
      {children}
    </Td>
  );
}

export function Td({
  className,
  align,
  ...props
}: TdHTMLAttributes<HTMLTableCellElement> & { align?: 'left' | 'right' }) {
  return (
    <td
      className={cn('h-9 px-3 py-1 align-middle', align === 'right' && 'text-right tabular-nums', className)}
      {...props}
    />
  );
}
