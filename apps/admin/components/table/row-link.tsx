'use client';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { moveRow } from '@/components/table/table';

/** The link a row opens with; one a row, found by j and k. */
export function RowLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      data-row-link=""
      onKeyDown={moveRow}
      // In a flex row a name that does not fit is cut; all of it is there on hover.
      title={typeof children === 'string' ? children : undefined}
      className="min-w-0 truncate font-medium text-text hover:text-accent-text hover:underline"
    >
      {children}
    </Link>
  );
}
