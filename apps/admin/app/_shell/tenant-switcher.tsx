'use client';
import type { Me } from '@gantry/contracts';
import { ChevronsUpDown } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Mark } from '@/components/shell/mark';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from '@/components/ui/menu';
import { t } from '@/strings';

export function TenantSwitcher({ me, tenant }: { me: Me; tenant?: { slug: string; name: string } }) {
  const router = useRouter();
  const name = tenant?.name ?? t.shell.platform;
  return (
    <Menu>
      <MenuTrigger
        className="flex h-10 w-full items-center gap-2.5 rounded-md px-2 text-left transition-colors duration-75 hover:bg-hover"
        aria-label={`${t.shell.switchTenant}: ${name}`}
      >
        <Mark className="size-6 shrink-0" />
        <span className="min-w-0 flex-1 truncate font-semibold text-sm">{name}</span>
        <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
      </MenuTrigger>
      <MenuContent align="start" className="w-56">
        <MenuLabel>{t.shell.switchTenant}</MenuLabel>
        {me.tenants.map((entry) => (
          <MenuItem key={entry.slug} onSelect={() => router.push(`/t/${entry.slug}`)}>
            <span className="min-w-0 flex-1 truncate">{entry.name}</span>
            <span className="font-mono text-2xs text-muted">{entry.slug}</span>
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={() => router.push('/tenants')}>{t.shell.allTenants}</MenuItem>
      </MenuContent>
    </Menu>
  );
}
