import type { PutServerAnswer, ServerDocumentInput } from '@gantry/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '@/lib/api/client';
import { apiPath } from '@/lib/api/path';
import { serverKeys } from './keys';

/** Whatever a server document holds is read anew after a whole one was written. */
const lists = ['tools', 'prompts', 'resources', 'resourceTemplates'];

function useServerMutation<V>(tenant: string, send: (variables: V) => Promise<PutServerAnswer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: serverKeys.all(tenant) }),
        ...lists.map((list) => client.invalidateQueries({ queryKey: [list, tenant] })),
      ]),
  });
}

/** `If-None-Match: *` has no place here: a taken slug is looked up before, and the API replaces by contract. */
export function usePutServer(tenant: string) {
  return useServerMutation(tenant, async ({ slug, document }: { slug: string; document: ServerDocumentInput }) => {
    const path = apiPath('tenants', tenant, 'servers', slug);
    return (await apiRequest<PutServerAnswer>('PUT', path, { body: document })).data;
  });
}

export function usePublish(tenant: string, server: string) {
  return useServerMutation(tenant, async (note: string | undefined) => {
    const path = apiPath('tenants', tenant, 'servers', server, 'publish');
    return (await apiRequest<PutServerAnswer>('POST', path, { body: note ? { note } : {} })).data;
  });
}

export function useRollback(tenant: string, server: string) {
  return useServerMutation(tenant, async (revision: number) => {
    const path = apiPath('tenants', tenant, 'servers', server, 'revisions', String(revision), 'rollback');
    return (await apiRequest<PutServerAnswer>('POST', path, { body: {} })).data;
  });
}

export function useDeleteServer(tenant: string, server: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => apiRequest<void>('DELETE', apiPath('tenants', tenant, 'servers', server)),
    onSuccess: () => client.invalidateQueries({ queryKey: serverKeys.list(tenant) }),
  });
}
