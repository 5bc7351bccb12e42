'use client';
import type { ResourceDocument, ResourceTemplateDocument } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import { type ItemNoun, itemPath, useDeleteItem, useItemStore } from '@/data/servers/items';
import { documentQuery } from '@/data/servers/queries';
import { may, tenantQuery } from '@/data/tenants/queries';
import { curlOf } from '@/lib/curl';
import { type DraftBase, type DraftStore, useDraft } from '@/lib/drafts/use-draft';
import { prunedResource } from '@/lib/resource-document';

interface Options<D> {
  tenant: string;
  server: string;
  base: DraftBase<D>;
  draftName: string;
}

/** What the editors of resources and of templates share: the draft, the rights, and where a save or delete leads. */
export function useResourceEditor<D extends ResourceDocument | ResourceTemplateDocument>(
  noun: ItemNoun<D>,
  /** Their folder below the list. */
  folder: string,
  { tenant, server, base, draftName }: Options<D>,
) {
  const router = useRouter();
  const permissions = useQuery(tenantQuery(tenant)).data;
  const autoPublish = useQuery(documentQuery(tenant, server)).data?.data.autoPublish ?? true;
  const remove = useDeleteItem(noun, tenant, server);
  const items = useItemStore(noun, tenant, server);
  const store = useMemo<DraftStore<D>>(
    () => ({ ...items, save: (document, ...rest) => items.save(prunedResource(document), ...rest) }),
    [items],
  );
  const draft = useDraft({ draftName: `${tenant}/${server}/${noun.list}/${draftName}`, base, store });
  const list = `/t/${tenant}/servers/${server}/resources`;
  return {
    draft,
    storedId: base.storedId,
    autoPublish,
    mayWrite: may(permissions, 'servers:write'),
    mayTry: may(permissions, 'tools:try'),
    curl: () =>
      base.storedId === undefined
        ? curlOf('POST', itemPath(noun, tenant, server), prunedResource(draft.document))
        : curlOf('PUT', itemPath(noun, tenant, server, base.storedId), prunedResource(draft.document)),
    onMoved: (uri: string) => router.replace(`${list}${folder}/${encodeURIComponent(uri)}`),
    onDelete: async (uri: string) => {
      await remove.mutateAsync(uri);
      draft.forget();
      router.push(folder ? `${list}?list=templates` : list);
    },
  };
}
