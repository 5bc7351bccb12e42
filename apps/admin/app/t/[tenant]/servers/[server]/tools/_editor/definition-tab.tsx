'use client';
import type { RunnerKind } from '@gantry/contracts';
import { useFieldError } from '@/components/editor/error-context';
import { LineField } from '@/components/editor/line-field';
import { Section } from '@/components/editor/section';
import { SchemaForm } from '@/components/schema-form/schema-form';
import { Field } from '@/components/ui/field';
import { CheckField, Input, Select, Textarea } from '@/components/ui/input';
import { estimateTokens } from '@/lib/tool-document';
import { t } from '@/strings';
import type { ToolDraft } from './tool-draft';

const text = t.tools.editor;
const annotations = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

export function DefinitionTab({ draft, kind }: { draft: ToolDraft; kind: RunnerKind }) {
  const { document, set } = draft;
  const schemaError = useFieldError('/inputSchema');
  const nameLint = document.name.length > 64 ? text.nameLong : document.name.includes('.') ? text.nameDot : undefined;
  return (
    <div className="flex flex-col gap-6">
      <Section
        title={text.tab.definition}
        aside={
          <p className="shrink-0 text-muted text-xs tabular-nums" title={text.costHint}>
            {text.cost(estimateTokens(document))}
          </p>
        }
      >
        <div className="grid gap-3 sm:grid-cols-2">
          <LineField
            label={text.name}
            hint={nameLint ?? text.nameHint}
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
        <Field
          label={text.description}
          pointer="/description"
          hint={document.description ? text.descriptionHint : text.descriptionMissing}
          error={useFieldError('/description')}
        >
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              value={document.description ?? ''}
              onChange={(event) => set(['description'], event.target.value)}
            />
          )}
        </Field>
      </Section>
      <Section title={text.input} hint={text.inputHint}>
        <SchemaForm
          label={text.input}
          schema={document.inputSchema}
          onChange={(schema) => set(['inputSchema'], schema)}
          error={schemaError}
        />
        {schemaError && <p className="text-danger text-xs">{schemaError}</p>}
      </Section>
      <Section title={text.annotations} hint={text.annotationsHint}>
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {annotations.map((hint) => (
            <TriState
              key={hint}
              label={text.annotation[hint]}
              value={document.annotations?.[hint]}
              onChange={(value) => set(['annotations', hint], value)}
            />
          ))}
        </div>
      </Section>
      <Section title={text.behaviour}>
        <div className="grid max-w-2xl gap-3 sm:grid-cols-2">
          <Choice
            label={text.execution}
            hint={text.executionHint}
            pointer="/execution"
            unsaid={text.executionUnsaid}
            labels={text.executions}
            value={document.execution}
            onChange={(value) => set(['execution'], value)}
          />
          <Choice
            label={text.task}
            hint={text.taskHint}
            pointer="/task"
            unsaid={text.taskUnsaid}
            labels={text.tasks}
            value={document.task}
            onChange={(value) => set(['task'], value)}
          />
        </div>
        <Field
          label={text.timeout}
          pointer="/timeoutMs"
          hint={text.timeoutHint}
          className="max-w-72"
          optional
          error={useFieldError('/timeoutMs')}
        >
          {(control) => (
            <Input
              {...control}
              type="number"
              min={1}
              className="font-mono"
              value={document.timeoutMs ?? ''}
              onChange={(event) =>
                set(['timeoutMs'], event.target.value === '' ? undefined : Number(event.target.value))
              }
            />
          )}
        </Field>
        {kind === 'code' && (
          <CheckField
            label={text.stateful}
            hint={text.statefulHint}
            checked={document.stateful ?? false}
            onChange={(event) => set(['stateful'], event.target.checked || undefined)}
          />
        )}
      </Section>
    </div>
  );
}

/** One of some words, or none. */
function Choice<Word extends string>({
  label,
  hint,
  pointer,
  unsaid,
  labels,
  value,
  onChange,
}: {
  label: string;
  hint: string;
  pointer: string;
  unsaid: string;
  labels: Readonly<Record<Word, string>>;
  value: Word | undefined;
  onChange: (value: Word | undefined) => void;
}) {
  return (
    <Field label={label} pointer={pointer} hint={hint} optional error={useFieldError(pointer)}>
      {(control) => (
        <Select
          {...control}
          value={value ?? ''}
          onChange={(event) => onChange((event.target.value || undefined) as Word | undefined)}
        >
          <option value="">{unsaid}</option>
          {Object.entries<string>(labels).map(([word, words]) => (
            <option key={word} value={word}>
              {words}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function TriState({
  label,
  value,
  onChange,
}: {
  label: string;
  value: boolean | undefined;
  onChange: (value: boolean | undefined) => void;
}) {
  return (
    <Field label={label}>
      {(control) => (
        <Select
          {...control}
          value={value === undefined ? '' : String(value)}
          onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value === 'true')}
        >
          <option value="">{text.unsaid}</option>
          <option value="true">{text.yes}</option>
          <option value="false">{text.no}</option>
        </Select>
      )}
    </Field>
  );
}
