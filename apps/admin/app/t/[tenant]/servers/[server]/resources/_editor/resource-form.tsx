'use client';
import type { ResourceDocument, ResourceTemplateDocument } from '@gantry/contracts';
import type { ReactNode } from 'react';
import { useFieldError } from '@/components/editor/error-context';
import { LineField } from '@/components/editor/line-field';
import { Section } from '@/components/editor/section';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import type { Draft } from '@/lib/drafts/use-draft';
import { t } from '@/strings';
import { ContentsField } from './contents-field';

const text = t.resources.editor;

/** Pointers of what the forms show. */
export const resourceFields = [
  ...['/uri', '/uriTemplate', '/name', '/title', '/description', '/mimeType'],
  ...['/text', '/blob', '/http', '/code/source', '/code'],
];

export function ResourceForm({ draft }: { draft: Draft<ResourceDocument> }) {
  return (
    <Form
      draft={draft}
      uri={
        <LineField
          label={text.uri}
          hint={text.uriHint}
          pointer="/uri"
          mono
          value={draft.document.uri}
          onChange={(value) => draft.set(['uri'], value)}
        />
      }
      contents={<ContentsField document={draft.document} set={draft.set} textHint={text.textHint} />}
    />
  );
}

export function TemplateForm({ draft }: { draft: Draft<ResourceTemplateDocument> }) {
  return (
    <Form
      draft={draft}
      uri={
        <LineField
          label={text.uriTemplate}
          hint={text.uriTemplateHint}
          pointer="/uriTemplate"
          mono
          value={draft.document.uriTemplate}
          onChange={(value) => draft.set(['uriTemplate'], value)}
        />
      }
      contents={<ContentsField document={draft.document} set={draft.set} textHint={text.templateTextHint} />}
    />
  );
}

interface FormProps<D> {
  draft: Draft<D>;
  uri: ReactNode;
  contents: ReactNode;
}

function Form<D extends ResourceDocument | ResourceTemplateDocument>({ draft, uri, contents }: FormProps<D>) {
  const { document, set } = draft;
  return (
    <div className="flex flex-col gap-6">
      <Section title={text.definition}>
        {uri}
        <div className="grid gap-3 sm:grid-cols-2">
          <LineField
            label={text.name}
            pointer="/name"
            value={document.name}
            onChange={(value) => set(['name'], value)}
          />
          <LineField
            label={text.title}
            pointer="/title"
            optional
            value={document.title ?? ''}
            onChange={(value) => set(['title'], value || undefined)}
          />
        </div>
        <Field label={text.description} pointer="/description" optional error={useFieldError('/description')}>
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              value={document.description ?? ''}
              onChange={(event) => set(['description'], event.target.value || undefined)}
            />
          )}
        </Field>
        <div className="max-w-72">
          <LineField
            label={text.mimeType}
            pointer="/mimeType"
            optional
            mono
            value={document.mimeType ?? ''}
            onChange={(value) => set(['mimeType'], value || undefined)}
          />
        </div>
      </Section>
      <Section title={text.contents}>{contents}</Section>
    </div>
  );
}
