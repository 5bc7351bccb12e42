'use client';
import type { PromptDocument } from '@gantry/contracts';
import { useFieldError } from '@/components/editor/error-context';
import { LineField } from '@/components/editor/line-field';
import { Section } from '@/components/editor/section';
import { SourceField } from '@/components/editor/source-field';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import type { Draft } from '@/lib/drafts/use-draft';
import { promptLint } from '@/lib/prompt-document';
import { t } from '@/strings';
import { ArgumentRows } from './argument-rows';
import { MessageRows } from './message-rows';

const text = t.prompts.editor;

/** Pointers of what the form shows. */
export const promptFields = ['/name', '/title', '/description', '/arguments', '/messages', '/code/source', '/code'];

export function PromptForm({ draft }: { draft: Draft<PromptDocument> }) {
  const { document, set } = draft;
  const { unknown, unused } = promptLint(document);
  const messagesError = useFieldError('/messages');
  return (
    <div className="flex flex-col gap-6">
      <Section title={text.definition}>
        <div className="grid gap-3 sm:grid-cols-2">
          <LineField
            label={text.name}
            hint={text.nameHint}
            pointer="/name"
            mono
            maxLength={128}
            value={document.name}
            onChange={(value) => set(['name'], value)}
          />
          <LineField
            label={text.title}
            pointer="/title"
            optional
            maxLength={256}
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
              onChange={(event) => set(['description'], event.target.value)}
            />
          )}
        </Field>
      </Section>
      <Section title={text.arguments} hint={text.argumentsHint}>
        <ArgumentRows
          value={document.arguments ?? []}
          onChange={(list) => set(['arguments'], list.length > 0 ? list : undefined)}
          error={useFieldError('/arguments')}
        />
        {unused.length > 0 && <p className="text-warn text-xs">{text.unusedArguments(unused.join(', '))}</p>}
      </Section>
      {document.code ? (
        <SourceField
          label={text.source}
          hint={text.sourceHint}
          value={document.code.source}
          onChange={(source) => set(['code', 'source'], source)}
        />
      ) : (
        <Section title={text.messages} hint={text.messagesHint}>
          <MessageRows value={document.messages ?? []} onChange={(list) => set(['messages'], list)} />
          {unknown.length > 0 && (
            <p className="text-warn text-xs">{text.unknownSlots(unknown.map((name) => `{${name}}`).join(', '))}</p>
          )}
          {messagesError && <p className="text-danger text-xs">{messagesError}</p>}
        </Section>
      )}
    </div>
  );
}
