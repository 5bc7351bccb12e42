'use client';
import type { Me } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { Blocks, Building2, Keyboard, KeyRound, LogOut, Moon, Plus, Sun } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTheme } from 'next-themes';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useReturnFocus } from '@/components/ui/return-focus';
import { serverNamesQuery } from '@/data/servers/queries';
import { t } from '@/strings';
import { leave } from './leave';
import type { NavGroup } from './nav';

interface PaletteProps {
  me: Me;
  tenant: string | undefined;
  groups: NavGroup[];
  onClose: () => void;
  onHelp: () => void;
}

const heading =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-2xs [&_[cmdk-group-heading]]:text-muted';

/** Goes to any object and runs any action of the frame. */
export function CommandPalette({ me, tenant, groups, onClose, onHelp }: PaletteProps) {
  const router = useRouter();
  const { setTheme } = useTheme();
  const returnFocus = useReturnFocus();
  const servers = useQuery({ ...serverNamesQuery(tenant ?? ''), enabled: tenant !== undefined });
  const run = (action: () => void) => () => {
    onClose();
    action();
  };
  const to = (href: string) => run(() => router.push(href));
  const text = t.shell.palette;
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          className="fixed inset-x-3 top-[12vh] z-50 mx-auto max-w-xl animate-appear overflow-hidden rounded-lg border bg-surface shadow-float"
        >
          <Dialog.Title className="sr-only">{text.title}</Dialog.Title>
          <Command label={text.title} loop>
            <Command.Input
              placeholder={text.placeholder}
              className="h-12 w-full border-b bg-transparent px-4 text-base outline-none placeholder:text-muted"
            />
            <Command.List className="max-h-[50vh] overflow-y-auto p-1.5">
              <Command.Empty className="px-2 py-6 text-center text-muted text-sm">{text.empty}</Command.Empty>
              <Command.Group heading={text.pages} className={heading}>
                {groups.flatMap((group) =>
                  group.items.map((item) => (
                    <Item key={item.href} value={`page ${item.label}`} onSelect={to(item.href)} icon={<item.icon />}>
                      {item.label}
                    </Item>
                  )),
                )}
              </Command.Group>
              {servers.data && servers.data.items.length > 0 && (
                <Command.Group heading={text.servers} className={heading}>
                  {servers.data.items.map((server) => (
                    <Item
                      key={server.slug}
                      value={`server ${server.name} ${server.slug}`}
                      onSelect={to(`/t/${tenant}/servers/${server.slug}`)}
                      icon={<Blocks />}
                    >
                      {server.name} <span className="font-mono text-muted text-xs">{server.slug}</span>
                    </Item>
                  ))}
                </Command.Group>
              )}
              {me.tenants.length > 0 && (
                <Command.Group heading={text.tenants} className={heading}>
                  {me.tenants.map((entry) => (
                    <Item
                      key={entry.slug}
                      value={`tenant ${entry.name} ${entry.slug}`}
                      onSelect={to(`/t/${entry.slug}`)}
                      icon={<Building2 />}
                    >
                      {entry.name} <span className="font-mono text-muted text-xs">{entry.slug}</span>
                    </Item>
                  ))}
                </Command.Group>
              )}
              <Command.Group heading={text.actions} className={heading}>
                {tenant && (
                  <>
                    <Item value={text.newServer} onSelect={to(`/t/${tenant}/servers/new`)} icon={<Plus />}>
                      {text.newServer}
                    </Item>
                    <Item value={text.newKey} onSelect={to(`/t/${tenant}/keys?new=true`)} icon={<KeyRound />}>
                      {text.newKey}
                    </Item>
                  </>
                )}
                <Item
                  value={`${t.shell.theme.label} ${t.shell.theme.light}`}
                  onSelect={run(() => setTheme('light'))}
                  icon={<Sun />}
                >
                  {t.shell.theme.label}: {t.shell.theme.light}
                </Item>
                <Item
                  value={`${t.shell.theme.label} ${t.shell.theme.dark}`}
                  onSelect={run(() => setTheme('dark'))}
                  icon={<Moon />}
                >
                  {t.shell.theme.label}: {t.shell.theme.dark}
                </Item>
                <Item value={text.shortcuts} onSelect={run(onHelp)} icon={<Keyboard />}>
                  {text.shortcuts}
                </Item>
                <Item value={t.shell.signOut} onSelect={run(leave)} icon={<LogOut />}>
                  {t.shell.signOut}
                </Item>
              </Command.Group>
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Item({
  value,
  onSelect,
  icon,
  children,
}: {
  value: string;
  onSelect: () => void;
  icon: ReactNode;
  children: ReactNode;
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 text-sm data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:text-muted"
    >
      {icon}
      <span className="min-w-0 truncate">{children}</span>
    </Command.Item>
  );
}
