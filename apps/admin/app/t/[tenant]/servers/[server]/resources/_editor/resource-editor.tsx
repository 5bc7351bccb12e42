'use client';
import type { ResourceDocument } from '@gantry/contracts';
import { ItemEditor } from '@/components/editor/item-editor';
import { resourceNoun } from '@/data/resources/resources';
import type { DraftBase } from '@/lib/drafts/use-draft';
import { isObject } from '@/lib/json';
import { resourceKindOf } from '@/lib/resource-document';
import { t } from '@/strings';
import { ResourcePreview } from '../_preview/resource-preview';
import { ResourceForm, resourceFields } from './resource-form';
import { useResourceEditor } from './use-resource-editor';

const text = t.resources.editor;

interface ResourceEditorProps {
  tenant: string;
  server: string;
  base: DraftBase<ResourceDocument>;
  /** What the kept draft is filed under. */
  draftName: string;
}

export function ResourceEditor({ tenant, server, base, draftName }: ResourceEditorProps) {
  const { draft, mayTry, ...editor } = useResourceEditor(resourceNoun, '', { tenant, server, base, draftName });
  return (
    <ItemEditor
      {...editor}
      draft={draft}
      words={{ ...text.resource, json: text.json }}
      kind={t.resources.kinds[resourceKindOf(draft.document)][0]}
      fields={resourceFields}
      form={<ResourceForm draft={draft} />}
      refuse={(value) =>
        isObject(value) && typeof value.uri === 'string' && typeof value.name === 'string'
          ? undefined
          : text.notResource
      }
      preview={(beforeRun) => (
        <ResourcePreview
          tenant={tenant}
          server={server}
          uri={draft.document.uri}
          stored={base.storedId !== undefined}
          mayTry={mayTry}
          beforeRun={beforeRun}
        />
      )}
    />
  );
}
