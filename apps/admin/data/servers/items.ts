import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiRequest } from '@/lib/api/client';
import { apiPath } from '@/lib/api/path';
import { versionedQuery, walkQuery } from '@/lib/api/query';
import type { DraftStore, Saved } from '@/lib/drafts/use-draft';
import { serverKeys } from './keys';

/** A list of a server document whose items are read and written one by one. */
export interface ItemNoun<D> {
  /** Segment of its API path, and name of its list in the server document. */
  list: 'prompts' | 'resources' | 'resourceTemplates';
  /** Member of a write's answer that holds the item. */
  answer: 'prompt' | 'resource' | 'resourceTemplate';
  idOf: (document: D) => string;
}

export const itemPath = (noun: Pick<ItemNoun<never>, 'list'>, tenant: string, server: string, ...rest: string[]) =>
  apiPath('tenants', tenant, 'servers', server, noun.list, ...rest);

const allKey = (noun: ItemNoun<never>, tenant: string, server: string) => [noun.list, tenant, server] as const;

export const itemsQuery = <D>(noun: ItemNoun<D>, tenant: string, server: string) =>
  walkQuery<D>([...allKey(noun as never, tenant, server), 'list'], itemPath(noun, tenant, server));

export const itemQuery = <D>(noun: ItemNoun<D>, tenant: string, server: string, id: string) =>
  versionedQuery<D>([...allKey(noun as never, tenant, server), 'one', id], itemPath(noun, tenant, server, id));

function changed(client: QueryClient, noun: ItemNoun<never>, tenant: string, server: string) {
  return Promise.all([
    client.invalidateQueries({ queryKey: allKey(noun, tenant, server) }),
    client.invalidateQueries({ queryKey: serverKeys.all(tenant) }),
  ]);
}

/** How an editor of this noun stores what it edits. */
export function useItemStore<D>(noun: ItemNoun<D>, tenant: string, server: string): DraftStore<D> {
  const client = useQueryClient();
  return useMemo(
    () => ({
      save: async (document, storedId, etag) => {
        const { data } = await (storedId === undefined
          ? apiRequest<Record<string, unknown>>('POST', itemPath(noun, tenant, server), { body: document })
          : apiRequest<Record<string, unknown>>('PUT', itemPath(noun, tenant, server, storedId), {
              body: document,
              etag,
            }));
        await changed(client, noun as never, tenant, server);
        const { revision, warnings } = data as unknown as Saved;
        return { id: noun.idOf(data[noun.answer] as D), revision, warnings };
      },
      read: (id) => client.fetchQuery({ ...itemQuery(noun, tenant, server, id), staleTime: 0 }),
    }),
    [client, noun, tenant, server],
  );
}

export function useDeleteItem<D>(noun: ItemNoun<D>, tenant: string, server: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiRequest<void>('DELETE', itemPath(noun, tenant, server, id)),
    onSuccess: (_answer, id) => {
      client.removeQueries({ queryKey: itemQuery(noun, tenant, server, id).queryKey });
      return changed(client, noun as never, tenant, server);
    },
  });
}
