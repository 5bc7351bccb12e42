export const apiKeyKeys = { list: (tenant: string) => ['keys', tenant] as const };
