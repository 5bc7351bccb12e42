import type { ApiKey, Call, ServerSummary } from '@gantry/contracts';

/** How many calls the overview shows, and judges the checklist by. */
export const recentCount = 8;

export type StepName = 'server' | 'tool' | 'try' | 'key' | 'connect';

export interface Step {
  name: StepName;
  done: boolean;
  href: string;
}

/** The way from an empty tenant to the first call from outside; each step is judged by what exists. */
export function onboardingSteps(tenant: string, servers: ServerSummary[], keys: ApiKey[], calls: Call[]): Step[] {
  const base = `/t/${tenant}`;
  const first = servers.find((server) => server.tools > 0) ?? servers[0];
  const inServer = first ? `${base}/servers/${first.slug}` : `${base}/servers/new`;
  // The newest calls may all be the console's own; a key that was ever used tells of the others.
  const outside = calls.some((call) => call.source === 'mcp') || keys.some((key) => key.lastUsedAt);
  return [
    { name: 'server', done: servers.length > 0, href: `${base}/servers/new` },
    {
      name: 'tool',
      done: servers.some((server) => server.tools > 0),
      href: first ? `${inServer}/tools/new` : inServer,
    },
    { name: 'try', done: calls.length > 0, href: first ? `${inServer}/tools` : inServer },
    { name: 'key', done: keys.some((key) => !key.revokedAt) || outside, href: `${base}/keys?new=true` },
    { name: 'connect', done: outside, href: first ? `${inServer}/connect` : inServer },
  ];
}
