import { Activity, Blocks, Building2, KeyRound, LayoutDashboard, Vault } from 'lucide-react';
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
        { label: nav.calls, href: `${base}/calls`, icon: Activity, key: 'c' },
      ],
    },
    { label: groups.access, items: [{ label: nav.keys, href: `${base}/keys`, icon: KeyRound, key: 'k' }] },
  ];
}

/** The rail of people who run the platform. */
export function platformNav(): NavGroup[] {
  return [
    { label: t.shell.platform, items: [{ label: t.shell.nav.tenants, href: '/tenants', icon: Building2, key: 'o' }] },
  ];
}

export function isCurrent(item: NavItem, pathname: string): boolean {
  return item.exact ? pathname === item.href : pathname === item.href || pathname.startsWith(`${item.href}/`);
}
