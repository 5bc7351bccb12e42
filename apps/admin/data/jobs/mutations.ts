import type { JobDetail } from '@gantry/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '@/lib/api/client';
import { apiPath } from '@/lib/api/path';
import { jobKeys } from './keys';

/** Cancels a job; resolves when its work has stopped. */
export const useCancelJob = (tenant: string) => useJobAction(tenant, 'cancel');

/** Runs a job that is over once more; resolves with the new one. */
export const useRetryJob = (tenant: string) => useJobAction(tenant, 'retry');

function useJobAction(tenant: string, action: 'cancel' | 'retry') {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) =>
      (await apiRequest<JobDetail>('POST', apiPath('tenants', tenant, 'jobs', id, action))).data,
    onSettled: () => client.invalidateQueries({ queryKey: jobKeys.all(tenant) }),
  });
}
