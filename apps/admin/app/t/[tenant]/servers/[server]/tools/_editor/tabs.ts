import type { RunnerKind } from '@gantry/contracts';

export const tabNames = ['definition', 'http', 'code', 'template', 'json', 'try'] as const;
export type TabName = (typeof tabNames)[number];

/** The tabs a tool of this kind has. */
export function tabsOf(kind: RunnerKind): TabName[] {
  return ['definition', kind, 'json', 'try'];
}

/** Pointers of the fields each tab shows; an error goes to the deepest of them that holds it. */
export const tabFields: Record<TabName, readonly string[]> = {
  definition: [
    '/name',
    '/title',
    '/description',
    '/inputSchema',
    '/annotations',
    '/execution',
    '/task',
    '/timeoutMs',
    '/stateful',
  ],
  http: ['/http/method', '/http/url', '/http/query', '/http/headers', '/http/auth', '/http/body', '/http/stream'],
  code: ['/code/source', '/code'],
  template: ['/template/text', '/template/content', '/template'],
  json: ['/outputSchema', '/icons', '/_meta', '/http'],
  try: [],
};
export const allFields = tabNames.flatMap((tab) => tabFields[tab]);

/** The tab on which an error is to be mended. */
export function tabOfError(field: string): TabName {
  return tabNames.find((tab) => tabFields[tab].includes(field)) ?? 'json';
}
