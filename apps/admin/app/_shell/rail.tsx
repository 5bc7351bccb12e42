'use client';
import type { Me } from '@gantry/contracts';
import { Search } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { cn } from '@/components/cn';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { t } from '@/strings';
import { isCurrent, type NavGroup } from './nav';
import { TenantSwitcher } from './tenant-switcher';
import { UserMenu } from './user-menu';

interface RailProps {
  me: Me;
  tenant?: { slug: string; name: string };
  groups: NavGroup[];
  onSearch: () => void;
}

/** The left rail: where you are, what is here, who you are. Quiet unless something needs you. */
export function Rail({ me, tenant, groups, onSearch }: RailProps) {
  const pathname = usePathname();
  return (
    <div className="flex h-full flex-col gap-4 p-3">
      <TenantSwitcher me={me} tenant={tenant} />
      <Button className="justify-start px-2 font-normal text-muted" onClick={onSearch}>
        <Search /> <span className="flex-1 text-left">{t.shell.palette.open}</span> <Kbd>Ctrl K</Kbd>
      </Button>
      <nav aria-label={t.shell.navigation} className="flex flex-1 flex-col gap-4 overflow-y-auto">
        {groups.map((group) => (
          <div key={group.label}>
            <p className="px-2 pb-1 text-2xs text-muted">{group.label}</p>
            <ul className="flex flex-col gap-px">
              {group.items.map((item) => {
                const current = isCurrent(item, pathname);
                return (
                  <li key={item.href}>
                    <Link
                      href={item.href}
                      aria-current={current ? 'page' : undefined}
                      className={cn(
                        'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm transition-colors duration-75',
                        current
                          ? 'bg-surface font-medium text-text shadow-[0_0_0_1px_var(--line)]'
                          : 'text-muted hover:bg-hover hover:text-text',
                      )}
                    >
                      <item.icon className={cn('size-4', current && 'text-accent-text')} aria-hidden />
                      {item.label}
                    </Link>
                  </li>
                );
              })}
            </ul>
          </div>
        ))}
      </nav>
      <UserMenu me={me} />
    </div>
  );
}
