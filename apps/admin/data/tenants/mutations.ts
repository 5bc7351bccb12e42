import type { Tenant } from '@gantry/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '@/lib/api/client';
import { apiPath } from '@/lib/api/path';
import { tenantKeys } from './keys';

export function useCreateTenant() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: { slug: string; name: string }) =>
      (await apiRequest<Tenant>('POST', apiPath('tenants'), { body })).data,
    onSuccess: () => client.invalidateQueries({ queryKey: tenantKeys.list() }),
  });
}
