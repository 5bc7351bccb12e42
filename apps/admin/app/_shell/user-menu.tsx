'use client';
import type { Me } from '@gantry/contracts';
import { ChevronsUpDown, LogOut } from 'lucide-react';
import { useTheme } from 'next-themes';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
} from '@/components/ui/menu';
import { t } from '@/strings';
import { leave } from './leave';

export function UserMenu({ me }: { me: Me }) {
  const { theme, setTheme } = useTheme();
  const name = me.name ?? me.email ?? me.id;
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join('');
  return (
    <Menu>
      <MenuTrigger
        className="flex h-11 w-full items-center gap-2.5 rounded-md px-2 text-left transition-colors duration-75 hover:bg-hover"
        aria-label={`${t.shell.account}: ${name}`}
      >
        <span
          className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-2xs text-accent-text"
          aria-hidden
        >
          {initials}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate text-sm leading-4">{name}</span>
          {me.name && me.email && <span className="block truncate text-2xs text-muted leading-4">{me.email}</span>}
        </span>
        <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
      </MenuTrigger>
      <MenuContent align="start" side="top" className="w-56">
        <MenuLabel>{t.shell.theme.label}</MenuLabel>
        <MenuRadioGroup value={theme} onValueChange={setTheme}>
          <MenuRadioItem value="system">{t.shell.theme.system}</MenuRadioItem>
          <MenuRadioItem value="light">{t.shell.theme.light}</MenuRadioItem>
          <MenuRadioItem value="dark">{t.shell.theme.dark}</MenuRadioItem>
        </MenuRadioGroup>
        <MenuSeparator />
        <MenuItem onSelect={leave}>
          <LogOut aria-hidden />
          {t.shell.signOut}
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
