'use client';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useCallback, useMemo } from 'react';
import { cn } from '@/components/cn';
import { EditorHeader } from '@/components/editor/editor-header';
import { EditorNotices } from '@/components/editor/editor-notices';
import { ErrorProvider } from '@/components/editor/error-context';
import { useModKey } from '@/components/shell/hotkeys';
import { Badge } from '@/components/ui/badge';
import { toast } from '@/components/ui/toast';
import { documentQuery } from '@/data/servers/queries';
import { may, tenantQuery } from '@/data/tenants/queries';
import { useDeleteTool } from '@/data/tools/mutations';
import { toolPath } from '@/data/tools/queries';
import { curlOf } from '@/lib/curl';
import { assignErrors } from '@/lib/pointer';
import { kindOf, pruned } from '@/lib/tool-document';
import { t } from '@/strings';
import { TryIt } from '../_try-it/try-it';
import { CodeTab } from './code-tab';
import { DefinitionTab } from './definition-tab';
import { EditorTabs } from './editor-tabs';
import { HttpTab } from './http-tab';
import { JsonTab } from './json-tab';
import { allFields, tabNames, tabOfError } from './tabs';
import { TemplateTab } from './template-tab';
import { type ToolBase, useToolDraft } from './tool-draft';

const text = t.tools.editor;

interface ToolEditorProps {
  tenant: string;
  server: string;
  base: ToolBase;
  /** What the kept draft is filed under. */
  draftName: string;
}

/** Define a tool, run it, publish it: the definition on the left, the try-it beside it (a tab on narrow screens). */
export function ToolEditor({ tenant, server, base, draftName }: ToolEditorProps) {
  const router = useRouter();
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(tabNames).withDefault('definition'));
  const permissions = useQuery(tenantQuery(tenant)).data;
  const autoPublish = useQuery(documentQuery(tenant, server)).data?.data.autoPublish ?? true;
  const remove = useDeleteTool(tenant, server);
  const draft = useToolDraft({ tenant, server, draftName, base });
  const mayWrite = may(permissions, 'servers:write');
  const kind = kindOf(draft.document);
  const shown = tab === 'http' || tab === 'code' || tab === 'template' ? kind : tab;
  const assigned = useMemo(() => assignErrors(draft.errors, allFields), [draft.errors]);
  const isNew = base.storedId === undefined;

  const save = useCallback(async () => {
    if (!mayWrite || draft.saving) return false;
    const answer = await draft.submit();
    if (!answer) return false;
    toast({ text: autoPublish ? t.editor.saved(answer.revision) : t.editor.savedDraft });
    if (answer.id !== base.storedId) {
      const query = new URLSearchParams(window.location.search);
      query.delete('kind');
      const path = `/t/${tenant}/servers/${server}/tools/${encodeURIComponent(answer.id)}`;
      router.replace(query.size > 0 ? `${path}?${query}` : path);
    }
    return true;
  }, [mayWrite, draft, autoPublish, base.storedId, router, tenant, server]);
  useModKey('s', save);

  return (
    <ErrorProvider value={assigned.byField}>
      <div className="flex flex-col gap-4">
        <EditorHeader
          words={text}
          storedId={base.storedId}
          dirty={draft.dirty}
          saving={draft.saving}
          mayWrite={mayWrite}
          autoPublish={autoPublish}
          facts={
            <>
              <Badge>{t.tools.kinds[kind][0]}</Badge>
              {draft.dirty && !isNew && <Badge tone="warn">{t.editor.unsaved}</Badge>}
            </>
          }
          curl={() =>
            base.storedId === undefined
              ? curlOf('POST', toolPath(tenant, server), pruned(draft.document))
              : curlOf('PUT', toolPath(tenant, server, base.storedId), pruned(draft.document))
          }
          onSave={save}
          onDelete={async (name) => {
            await remove.mutateAsync(name);
            draft.forget();
            router.push(`/t/${tenant}/servers/${server}/tools`);
          }}
        />
        <EditorNotices
          words={text}
          draft={draft}
          rest={assigned.rest}
          byField={assigned.byField}
          onGo={(field) => setTab(tabOfError(field))}
          mayWrite={mayWrite}
        />
        <EditorTabs
          kind={kind}
          current={shown}
          onSelect={setTab}
          errors={[...assigned.byField.keys()].map(tabOfError)}
        />
        <div className="grid items-start gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,1fr)_minmax(380px,440px)]">
          <fieldset disabled={!mayWrite} className={cn('min-w-0', shown === 'try' && 'max-xl:hidden')}>
            <legend className="sr-only">{text.tab[shown === 'try' ? 'definition' : shown]}</legend>
            {(shown === 'definition' || shown === 'try') && <DefinitionTab draft={draft} kind={kind} />}
            {shown === 'http' && <HttpTab draft={draft} tenant={tenant} />}
            {shown === 'code' && <CodeTab draft={draft} />}
            {shown === 'template' && <TemplateTab draft={draft} />}
            {shown === 'json' && <JsonTab draft={draft} />}
          </fieldset>
          <aside
            aria-label={t.tryIt.title}
            className={cn('min-w-0 xl:sticky xl:top-6', shown !== 'try' && 'max-xl:hidden')}
          >
            <TryIt
              tenant={tenant}
              server={server}
              tool={base.storedId}
              schema={draft.document.inputSchema}
              dirty={draft.dirty}
              mayTry={may(permissions, 'tools:try')}
              beforeRun={mayWrite ? save : undefined}
            />
          </aside>
        </div>
      </div>
    </ErrorProvider>
  );
}
