'use client';
import { useFieldError } from '@/components/editor/error-context';
import { CodeArea } from '@/components/ui/code-area';
import { Field } from '@/components/ui/field';
import { t } from '@/strings';
import type { ToolDraft } from './tool-draft';

const text = t.tools.code;

export function CodeTab({ draft }: { draft: ToolDraft }) {
  const source = draft.document.code?.source ?? '';
  const errors = [useFieldError('/code/source'), useFieldError('/code')].filter(Boolean).join('; ');
  return (
    <div className="flex flex-col gap-4">
      <Field label={text.source} hint={text.hint} pointer="/code/source" error={errors || undefined}>
        {(control) => (
          <CodeArea
            {...control}
            rows={Math.min(Math.max(source.split('\n').length + 2, 16), 40)}
            value={source}
            onChange={(event) => draft.set(['code', 'source'], event.target.value)}
          />
        )}
      </Field>
      <details className="rounded-md border bg-surface px-3 py-2 text-sm">
        <summary className="font-medium">{text.api}</summary>
        <dl className="mt-2 grid gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr]">
          {text.apiRows.map(([name, what]) => (
            <div key={name} className="contents">
              <dt className="font-mono text-xs leading-5">{name}</dt>
              <dd className="text-muted text-xs leading-5">{what}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
