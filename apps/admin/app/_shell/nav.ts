import type { Me } from '@gantry/contracts';
import { Activity, Blocks, Building2, Cable, KeyRound, LayoutDashboard, ListTodo, Server, Vault } from 'lucide-react';
import { maySeeNodes } from '@/lib/access';
import { t } from '@/strings';

export interface NavItem {
  label: string;
  href: string;
  icon: typeof Activity;
  /** Second key after "g". */
  key?: string;
  /** True when only the exact path is this item. */
  exact?: boolean;
}

export interface NavGroup {
  label: string;
  items: NavItem[];
}

/** The rail inside a tenant. */
export function tenantNav(tenant: string): NavGroup[] {
  const base = `/t/${tenant}`;
  const { nav, groups } = t.shell;
  return [
    {
      label: groups.build,
      items: [
        { label: nav.servers, href: `${base}/servers`, icon: Blocks, key: 's' },
        { label: nav.secrets, href: `${base}/secrets`, icon: Vault },
      ],
    },
    {
      label: groups.observe,
      items: [
        { label: nav.overview, href: base, icon: LayoutDashboard, key: 'o', exact: true },
        { label: nav.sessions, href: `${base}/sessions`, icon: Cable, key: 'l' },
        { label: nav.calls, href: `${base}/calls`, icon: Activity, key: 'c' },
        { label: nav.jobs, href: `${base}/jobs`, icon: ListTodo, key: 'j' },
      ],
    },
    { label: groups.access, items: [{ label: nav.keys, href: `${base}/keys`, icon: KeyRound, key: 'k' }] },
  ];
}

/** The rail of people who run the platform; who only belongs to tenants sees those. */
export function platformNav(me: Me): NavGroup[] {
  const { nav, platform } = t.shell;
  const items: NavItem[] = [{ label: nav.tenants, href: '/tenants', icon: Building2, key: 'o' }];
  if (maySeeNodes(me)) items.push({ label: nav.nodes, href: '/nodes', icon: Server, key: 'n' });
  return [{ label: platform, items }];
}

export function isCurrent(item: NavItem, pathname: string): boolean {
  return item.exact ? pathname === item.href : pathname === item.href || pathname.startsWith(`${item.href}/`);
}
