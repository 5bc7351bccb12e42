import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '@/lib/api/client';
import { apiPath } from '@/lib/api/path';
import { secretKeys } from './keys';

export interface SecretForm {
  name: string;
  value: string;
  hosts: string[];
}

export function usePutSecret(tenant: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, value, hosts }: SecretForm) =>
      apiRequest<void>('PUT', apiPath('tenants', tenant, 'secrets', name), { body: { value, hosts } }),
    onSuccess: () => client.invalidateQueries({ queryKey: secretKeys.list(tenant) }),
  });
}

export function useDeleteSecret(tenant: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => apiRequest<void>('DELETE', apiPath('tenants', tenant, 'secrets', name)),
    onSuccess: () => client.invalidateQueries({ queryKey: secretKeys.list(tenant) }),
  });
}
