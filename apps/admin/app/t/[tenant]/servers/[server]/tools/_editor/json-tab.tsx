'use client';
import type { ToolDocument } from '@gantry/contracts';
import { JsonEditor } from '@/components/schema-form/json-editor';
import { isObject } from '@/lib/json';
import { t } from '@/strings';
import type { ToolDraft } from './tool-draft';

const text = t.tools.editor;

export function JsonTab({ draft }: { draft: ToolDraft }) {
  return (
    <div className="flex flex-col gap-2">
      <h2 className="font-semibold text-base">{text.json}</h2>
      <p className="text-muted text-xs">{text.jsonHint}</p>
      <JsonEditor
        label={text.json}
        rows={28}
        value={draft.document}
        onChange={(value) => draft.replace(value as ToolDocument)}
        refuse={(value) =>
          isObject(value) && isObject(value.inputSchema) && typeof value.name === 'string'
            ? undefined
            : t.tools.schema.notTool
        }
      />
    </div>
  );
}
