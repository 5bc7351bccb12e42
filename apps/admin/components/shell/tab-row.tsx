'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { cn } from '@/components/cn';

interface TabRowProps {
  label: string;
  tabs: readonly { label: string; href: string; exact?: boolean }[];
}

/** The second row of tabs inside an object; each tab is a page of its own. */
export function TabRow({ label, tabs }: TabRowProps) {
  const pathname = usePathname();
  return (
    <nav aria-label={label} className="-mb-px flex gap-5 overflow-x-auto border-b">
      {tabs.map((tab) => {
        const current = tab.exact ? pathname === tab.href : pathname.startsWith(tab.href);
        return (
          <Link
            key={tab.href}
            href={tab.href}
            aria-current={current ? 'page' : undefined}
            className={cn(
              'flex h-9 shrink-0 items-center border-b-2 text-sm transition-colors duration-75',
              current ? 'border-accent-text font-medium text-text' : 'border-transparent text-muted hover:text-text',
            )}
          >
            {tab.label}
          </Link>
        );
      })}
    </nav>
  );
}
