'use client';
import type { Me } from '@gantry/contracts';
import { Menu as MenuIcon, Search } from 'lucide-react';
import dynamic from 'next/dynamic';
import { usePathname, useRouter } from 'next/navigation';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { Mark } from '@/components/shell/mark';
import { Button } from '@/components/ui/button';
import { t } from '@/strings';
import { platformNav, tenantNav } from './nav';
import { Rail } from './rail';
import { useShortcuts } from './use-shortcuts';

// Nobody needs these to read a page; each comes when it is opened.
const CommandPalette = dynamic(() => import('./command-palette').then((m) => m.CommandPalette), { ssr: false });
const ShortcutHelp = dynamic(() => import('./shortcut-help').then((m) => m.ShortcutHelp), { ssr: false });
const Drawer = dynamic(() => import('./drawer').then((m) => m.Drawer), { ssr: false });

interface AppShellProps {
  me: Me;
  tenant?: { slug: string; name: string };
  children: ReactNode;
}

/** The frame of every signed-in page: rail (a drawer on narrow screens), main, palette, shortcuts. */
export function AppShell({ me, tenant, children }: AppShellProps) {
  const router = useRouter();
  const pathname = usePathname();
  const [drawer, setDrawer] = useState(false);
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const groups = useMemo(() => (tenant ? tenantNav(tenant.slug) : platformNav(me)), [tenant, me]);
  const go = useMemo(() => {
    const items = groups.flatMap((group) => group.items).filter((item) => item.key);
    return Object.fromEntries(items.map((item) => [item.key!, () => router.push(item.href)]));
  }, [groups, router]);
  const openPalette = useCallback(() => setPalette(true), []);
  const openHelp = useCallback(() => setHelp(true), []);
  useShortcuts({ openPalette, openHelp, go });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes whenever the page changes
  useEffect(() => setDrawer(false), [pathname]);

  const rail = <Rail me={me} tenant={tenant} groups={groups} onSearch={openPalette} />;
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[232px_minmax(0,1fr)]">
      <div className="sticky top-0 hidden h-dvh border-r bg-sunken lg:block">{rail}</div>
      <div className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b bg-sunken px-3 lg:hidden">
        <Button
          variant="ghost"
          size="icon"
          aria-label={t.shell.openMenu}
          aria-haspopup="dialog"
          aria-expanded={drawer}
          onClick={() => setDrawer(true)}
        >
          <MenuIcon />
        </Button>
        <Mark className="size-5" />
        <span className="min-w-0 flex-1 truncate font-semibold text-sm">{tenant?.name ?? t.shell.platform}</span>
        <Button variant="ghost" size="icon" aria-label={t.shell.palette.open} onClick={openPalette}>
          <Search />
        </Button>
      </div>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full min-w-0 max-w-[1440px] px-4 pt-5 pb-16 outline-none sm:px-6 lg:px-8 lg:pt-7"
      >
        {children}
      </main>
      {drawer && <Drawer onClose={() => setDrawer(false)}>{rail}</Drawer>}
      {palette && (
        <CommandPalette
          me={me}
          tenant={tenant?.slug}
          groups={groups}
          onClose={() => setPalette(false)}
          onHelp={openHelp}
        />
      )}
      {help && <ShortcutHelp onClose={() => setHelp(false)} />}
    </div>
  );
}
