'use client';
import type { ResourceDocument, ResourceTemplateDocument } from '@gantry/contracts';
import { useState } from 'react';
import { useFieldError } from '@/components/editor/error-context';
import { SourceField } from '@/components/editor/source-field';
import { JsonEditor } from '@/components/schema-form/json-editor';
import { CodeArea } from '@/components/ui/code-area';
import { Field } from '@/components/ui/field';
import { formatBytes } from '@/lib/format';
import { isObject } from '@/lib/json';
import { resourceKindOf } from '@/lib/resource-document';
import { t } from '@/strings';

const text = t.resources.editor;
const maxFileBytes = 1_048_576;

interface ContentsFieldProps {
  document: ResourceDocument | ResourceTemplateDocument;
  set: (path: readonly string[], value: unknown) => void;
  textHint: string;
}

/** Where the contents come from, by the kind the item has. */
export function ContentsField({ document, set, textHint }: ContentsFieldProps) {
  const kind = resourceKindOf(document);
  const textError = useFieldError('/text');
  const httpError = useFieldError('/http');
  if (kind === 'code') {
    return (
      <SourceField
        label={text.source}
        hint={text.sourceHint}
        value={document.code?.source ?? ''}
        onChange={(source) => set(['code', 'source'], source)}
      />
    );
  }
  if (kind === 'http') {
    return (
      <div className="flex flex-col gap-1" data-pointer="/http">
        <h3 className="font-medium text-sm">{text.http}</h3>
        <JsonEditor
          label={text.http}
          rows={10}
          value={document.http}
          onChange={(http) => set(['http'], http)}
          refuse={(http) => (isObject(http) ? undefined : t.tools.schema.notObject)}
          error={httpError}
        />
        <p className="text-muted text-xs">{text.httpHint}</p>
      </div>
    );
  }
  if (kind === 'blob') return <BlobField document={document as ResourceDocument} set={set} />;
  return (
    <Field label={text.text} hint={textHint} pointer="/text" error={textError}>
      {(control) => (
        <CodeArea
          {...control}
          wrap="soft"
          className="whitespace-pre-wrap"
          rows={12}
          value={document.text ?? ''}
          onChange={(event) => set(['text'], event.target.value)}
        />
      )}
    </Field>
  );
}

function BlobField({ document, set }: { document: ResourceDocument; set: ContentsFieldProps['set'] }) {
  const [fault, setFault] = useState<string>();
  const error = useFieldError('/blob');

  async function take(file: File | undefined) {
    if (!file) return;
    if (file.size > maxFileBytes) return setFault(text.fileTooLarge(formatBytes(file.size)));
    setFault(undefined);
    const url = await new Promise<string>((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result));
      reader.onerror = () => reject(reader.error);
      reader.readAsDataURL(file);
    }).catch((failure: Error) => setFault(failure.message));
    if (!url) return;
    set(['blob'], url.slice(url.indexOf(',') + 1));
    if (file.type) set(['mimeType'], file.type);
  }

  return (
    <>
      <Field label={text.file} error={fault}>
        {(control) => (
          <input
            {...control}
            type="file"
            className="w-full min-w-0 text-muted text-sm file:mr-3 file:h-8 file:cursor-pointer file:rounded-md file:border file:border-line-strong file:bg-surface file:px-3 file:font-medium file:text-text hover:file:bg-hover"
            onChange={(event) => take(event.target.files?.[0])}
          />
        )}
      </Field>
      <Field label={text.blob} hint={text.blobHint} pointer="/blob" error={error}>
        {(control) => (
          <CodeArea
            {...control}
            wrap="soft"
            className="whitespace-pre-wrap break-all"
            rows={6}
            value={document.blob ?? ''}
            onChange={(event) => set(['blob'], event.target.value.replace(/\s+/g, ''))}
          />
        )}
      </Field>
    </>
  );
}
