'use client';
import type { PromptDocument } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import { ItemEditor } from '@/components/editor/item-editor';
import { promptNoun, promptPath } from '@/data/prompts/prompts';
import { useDeleteItem, useItemStore } from '@/data/servers/items';
import { documentQuery } from '@/data/servers/queries';
import { may, tenantQuery } from '@/data/tenants/queries';
import { curlOf } from '@/lib/curl';
import { type DraftBase, type DraftStore, useDraft } from '@/lib/drafts/use-draft';
import { isObject } from '@/lib/json';
import { promptKindOf, prunedPrompt } from '@/lib/prompt-document';
import { t } from '@/strings';
import { PromptPreview } from '../_preview/prompt-preview';
import { PromptForm, promptFields } from './prompt-form';

const text = t.prompts.editor;

interface PromptEditorProps {
  tenant: string;
  server: string;
  base: DraftBase<PromptDocument>;
  /** What the kept draft is filed under. */
  draftName: string;
}

export function PromptEditor({ tenant, server, base, draftName }: PromptEditorProps) {
  const router = useRouter();
  const permissions = useQuery(tenantQuery(tenant)).data;
  const autoPublish = useQuery(documentQuery(tenant, server)).data?.data.autoPublish ?? true;
  const remove = useDeleteItem(promptNoun, tenant, server);
  const items = useItemStore(promptNoun, tenant, server);
  const store = useMemo<DraftStore<PromptDocument>>(
    () => ({ ...items, save: (document, ...rest) => items.save(prunedPrompt(document), ...rest) }),
    [items],
  );
  const draft = useDraft({ draftName: `${tenant}/${server}/prompts/${draftName}`, base, store });
  const mayWrite = may(permissions, 'servers:write');
  const list = `/t/${tenant}/servers/${server}/prompts`;
  return (
    <ItemEditor
      words={text}
      draft={draft}
      storedId={base.storedId}
      mayWrite={mayWrite}
      autoPublish={autoPublish}
      kind={t.prompts.kinds[promptKindOf(draft.document)][0]}
      fields={promptFields}
      form={<PromptForm draft={draft} />}
      refuse={(value) => (isObject(value) && typeof value.name === 'string' ? undefined : text.notPrompt)}
      preview={(beforeRun) => (
        <PromptPreview
          tenant={tenant}
          server={server}
          prompt={draft.document}
          storedName={base.storedId}
          mayTry={may(permissions, 'tools:try')}
          beforeRun={beforeRun}
        />
      )}
      curl={() =>
        base.storedId === undefined
          ? curlOf('POST', promptPath(tenant, server), prunedPrompt(draft.document))
          : curlOf('PUT', promptPath(tenant, server, base.storedId), prunedPrompt(draft.document))
      }
      onMoved={(name) => router.replace(`${list}/${encodeURIComponent(name)}`)}
      onDelete={async (name) => {
        await remove.mutateAsync(name);
        draft.forget();
        router.push(list);
      }}
    />
  );
}
