import type { CreatedKey, Scope } from '@gantry/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '@/lib/api/client';
import { apiPath } from '@/lib/api/path';
import { apiKeyKeys } from './keys';

export interface KeyForm {
  name: string;
  scopes: Scope[];
  servers: string[];
  expiresAt?: string;
}

function useKeyMutation<V, R>(tenant: string, send: (variables: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () => client.invalidateQueries({ queryKey: apiKeyKeys.list(tenant) }),
  });
}

/** The answer holds the key itself, once; keep it in memory only. */
export const useCreateKey = (tenant: string) =>
  useKeyMutation(
    tenant,
    async (body: KeyForm) => (await apiRequest<CreatedKey>('POST', apiPath('tenants', tenant, 'keys'), { body })).data,
  );

export const useRotateKey = (tenant: string) =>
  useKeyMutation(tenant, async ({ id, overlapMs }: { id: string; overlapMs: number }) => {
    const path = apiPath('tenants', tenant, 'keys', id, 'rotate');
    return (await apiRequest<CreatedKey>('POST', path, { body: { overlapMs } })).data;
  });

export const useRevokeKey = (tenant: string) =>
  useKeyMutation(tenant, (id: string) => apiRequest<void>('DELETE', apiPath('tenants', tenant, 'keys', id)));
