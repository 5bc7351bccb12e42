'use client';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { type ReactNode, useCallback, useMemo } from 'react';
import { cn } from '@/components/cn';
import { EditorHeader } from '@/components/editor/editor-header';
import { EditorNotices } from '@/components/editor/editor-notices';
import { ErrorProvider } from '@/components/editor/error-context';
import type { EditorWords } from '@/components/editor/words';
import { JsonEditor } from '@/components/schema-form/json-editor';
import { useModKey } from '@/components/shell/hotkeys';
import { Badge } from '@/components/ui/badge';
import { toast } from '@/components/ui/toast';
import type { Draft } from '@/lib/drafts/use-draft';
import { assignErrors } from '@/lib/pointer';
import { t } from '@/strings';

const tabs = ['form', 'json', 'preview'] as const;
const text = t.editor;

interface ItemEditorProps<D> {
  words: EditorWords & { json: string };
  draft: Draft<D>;
  storedId: string | undefined;
  mayWrite: boolean;
  autoPublish: boolean;
  kind: string;
  /** Pointers of the fields the form shows; what stands against another is named above, and mended as JSON. */
  fields: readonly string[];
  form: ReactNode;
  /** Says why a value is not an item of this kind at all. */
  refuse: (value: unknown) => string | undefined;
  preview: (save: (() => Promise<boolean>) | undefined) => ReactNode;
  curl: () => string;
  /** Called after a save under another id than `storedId`. */
  onMoved: (id: string) => void;
  onDelete: (id: string) => Promise<void>;
}

/** One item of a server: its form, the same document as JSON, and beside them a preview of what is saved. */
export function ItemEditor<D>(props: ItemEditorProps<D>) {
  const { words, draft, storedId, mayWrite, autoPublish, kind, fields, form, refuse, preview, curl } = props;
  const { onMoved, onDelete } = props;
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(tabs).withDefault('form'));
  const assigned = useMemo(() => assignErrors(draft.errors, fields), [draft.errors, fields]);

  const save = useCallback(async () => {
    if (!mayWrite || draft.saving) return false;
    const saved = await draft.submit();
    if (!saved) return false;
    toast({ text: autoPublish ? text.saved(saved.revision) : text.savedDraft });
    if (saved.id !== storedId) onMoved(saved.id);
    return true;
  }, [mayWrite, draft, autoPublish, storedId, onMoved]);
  useModKey('s', save);

  return (
    <ErrorProvider value={assigned.byField}>
      <div className="flex flex-col gap-4">
        <EditorHeader
          words={words}
          storedId={storedId}
          dirty={draft.dirty}
          saving={draft.saving}
          mayWrite={mayWrite}
          autoPublish={autoPublish}
          facts={
            <>
              <Badge>{kind}</Badge>
              {draft.dirty && storedId !== undefined && <Badge tone="warn">{text.unsaved}</Badge>}
            </>
          }
          curl={curl}
          onSave={save}
          onDelete={onDelete}
        />
        <EditorNotices
          words={words}
          draft={draft}
          rest={assigned.rest}
          byField={assigned.byField}
          onGo={() => setTab('form')}
          mayWrite={mayWrite}
        />
        <nav aria-label={text.sections} className="flex gap-1 overflow-x-auto">
          {tabs.map((name) => (
            <a
              key={name}
              href={`?tab=${name}`}
              aria-current={tab === name ? 'true' : undefined}
              onClick={(event) => {
                event.preventDefault();
                setTab(name);
              }}
              className={cn(
                'flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2.5 text-sm transition-colors duration-75',
                tab === name ? 'bg-hover font-medium text-text' : 'text-muted hover:bg-hover hover:text-text',
                name === 'preview' && 'xl:hidden',
                name === 'form' && tab === 'preview' && 'xl:bg-hover xl:font-medium xl:text-text',
              )}
            >
              {text.tab[name]}
              {name === 'form' && assigned.byField.size > 0 && <span className="font-semibold text-danger">!</span>}
            </a>
          ))}
        </nav>
        <div className="grid items-start gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,1fr)_minmax(380px,440px)]">
          <fieldset disabled={!mayWrite} className={cn('min-w-0', tab === 'preview' && 'max-xl:hidden')}>
            <legend className="sr-only">{text.tab[tab === 'json' ? 'json' : 'form']}</legend>
            {tab === 'json' ? (
              <div className="flex flex-col gap-2">
                <h2 className="font-semibold text-base">{words.json}</h2>
                <p className="text-muted text-xs">{text.jsonHint}</p>
                <JsonEditor
                  label={words.json}
                  rows={24}
                  value={draft.document}
                  onChange={(value) => draft.replace(value as D)}
                  refuse={refuse}
                />
              </div>
            ) : (
              form
            )}
          </fieldset>
          <aside
            aria-label={text.tab.preview}
            className={cn('min-w-0 xl:sticky xl:top-6', tab !== 'preview' && 'max-xl:hidden')}
          >
            {preview(mayWrite && draft.dirty ? save : undefined)}
          </aside>
        </div>
      </div>
    </ErrorProvider>
  );
}
