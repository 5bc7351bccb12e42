'use client';
import { useFieldError } from '@/components/editor/error-context';
import { JsonEditor } from '@/components/schema-form/json-editor';
import { propertiesOf } from '@/components/schema-form/model';
import { CodeArea } from '@/components/ui/code-area';
import { Field } from '@/components/ui/field';
import { t } from '@/strings';
import type { ToolDraft } from './tool-draft';

const text = t.tools.template;

export function TemplateTab({ draft }: { draft: ToolDraft }) {
  const template = draft.document.template ?? {};
  const ownError = useFieldError('/template/text');
  const wholeError = useFieldError('/template');
  const textError = ownError ?? wholeError;
  const contentError = useFieldError('/template/content');
  const names = propertiesOf(draft.document.inputSchema).map((property) => `{${property.name}}`);
  if (template.content !== undefined) {
    return (
      <div className="flex flex-col gap-2">
        <h2 className="font-semibold text-base">{text.content}</h2>
        <p className="text-muted text-xs">{text.contentHint}</p>
        <JsonEditor
          label={text.content}
          value={template.content}
          onChange={(value) => draft.set(['template', 'content'], value)}
          error={contentError}
        />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <Field label={text.text} hint={text.hint} pointer="/template/text" error={textError}>
        {(control) => (
          <CodeArea
            {...control}
            wrap="soft"
            className="whitespace-pre-wrap"
            rows={12}
            value={template.text ?? ''}
            onChange={(event) => draft.set(['template', 'text'], event.target.value)}
          />
        )}
      </Field>
      {names.length > 0 && (
        <p className="text-muted text-xs">
          {text.arguments}: <code>{names.join(' ')}</code>
        </p>
      )}
    </div>
  );
}
