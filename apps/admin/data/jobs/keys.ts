export interface JobFilter {
  server?: string | null;
  tool?: string | null;
  status?: string | null;
  q?: string | null;
}

export const jobKeys = {
  all: (tenant: string) => ['jobs', tenant] as const,
  list: (tenant: string, { server, tool, status, q }: JobFilter) =>
    ['jobs', tenant, 'list', server ?? '', tool ?? '', status ?? '', q ?? ''] as const,
  queue: (tenant: string) => ['jobs', tenant, 'queue'] as const,
  one: (tenant: string, id: string) => ['jobs', tenant, 'one', id] as const,
};
