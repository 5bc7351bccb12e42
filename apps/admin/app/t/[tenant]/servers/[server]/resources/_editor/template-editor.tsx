'use client';
import type { ResourceTemplateDocument } from '@gantry/contracts';
import { ItemEditor } from '@/components/editor/item-editor';
import { templateNoun } from '@/data/resources/resources';
import type { DraftBase } from '@/lib/drafts/use-draft';
import { isObject } from '@/lib/json';
import { resourceKindOf } from '@/lib/resource-document';
import { t } from '@/strings';
import { ResourcePreview } from '../_preview/resource-preview';
import { resourceFields, TemplateForm } from './resource-form';
import { useResourceEditor } from './use-resource-editor';

const text = t.resources.editor;

interface TemplateEditorProps {
  tenant: string;
  server: string;
  base: DraftBase<ResourceTemplateDocument>;
  /** What the kept draft is filed under. */
  draftName: string;
}

export function TemplateEditor({ tenant, server, base, draftName }: TemplateEditorProps) {
  const place = { tenant, server, base, draftName };
  const { draft, mayTry, ...editor } = useResourceEditor(templateNoun, '/templates', place);
  return (
    <ItemEditor
      {...editor}
      draft={draft}
      words={{ ...text.template, json: text.json }}
      kind={t.resources.kinds[resourceKindOf(draft.document)][0]}
      fields={resourceFields}
      form={<TemplateForm draft={draft} />}
      refuse={(value) =>
        isObject(value) && typeof value.uriTemplate === 'string' && typeof value.name === 'string'
          ? undefined
          : text.notTemplate
      }
      preview={(beforeRun) => (
        <ResourcePreview
          tenant={tenant}
          server={server}
          uri={draft.document.uriTemplate}
          complete={draft.document.complete ?? {}}
          stored={base.storedId !== undefined}
          mayTry={mayTry}
          beforeRun={beforeRun}
        />
      )}
    />
  );
}
