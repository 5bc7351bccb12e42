import type { CallCancelled, SessionEnded } from '@gantry/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '@/lib/api/client';
import { apiPath } from '@/lib/api/path';
import { sessionKeys } from './keys';

/** Ends a session wherever it is held. The answer names what each node let go of, and who gave no answer. */
export function useEndSession(tenant: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) =>
      (await apiRequest<SessionEnded>('DELETE', apiPath('tenants', tenant, 'sessions', id))).data,
    onSettled: () => client.invalidateQueries({ queryKey: sessionKeys.lists(tenant) }),
  });
}

/** Cancels one running request. The answer tells whether its work has stopped. */
export function useCancelCall(tenant: string, session: string) {
  return useMutation({
    mutationFn: async (call: string) => {
      const path = apiPath('tenants', tenant, 'sessions', session, 'calls', call, 'cancel');
      return (await apiRequest<CallCancelled>('POST', path)).data;
    },
  });
}
