export const secretKeys = { list: (tenant: string) => ['secrets', tenant] as const };
