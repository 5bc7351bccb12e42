export const nodeKeys = { list: () => ['nodes'] as const };
