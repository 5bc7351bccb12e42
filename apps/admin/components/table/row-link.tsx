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
      className="font-medium text-text hover:text-accent-text hover:underline"
    >
      {children}
    </Link>
  );
}
