'use client';
import type { PromptDocument } from '@gantry/contracts';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { CheckField, Input } from '@/components/ui/input';
import { t } from '@/strings';

const text = t.prompts.editor;
type Argument = NonNullable<PromptDocument['arguments']>[number];

interface ArgumentRowsProps {
  value: Argument[];
  onChange: (value: Argument[]) => void;
  error: string | undefined;
}

export function ArgumentRows({ value, onChange, error }: ArgumentRowsProps) {
  const put = (at: number, next: Argument) => onChange(value.map((old, i) => (i === at ? next : old)));
  return (
    <div className="flex flex-col gap-3">
      {value.map((argument, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place alone while its name is typed
        <div key={at} className="flex flex-col gap-2 rounded-md border p-3">
          <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
            <Field label={text.argumentName}>
              {(control) => (
                <Input
                  {...control}
                  className="font-mono"
                  value={argument.name}
                  maxLength={128}
                  onChange={(event) => put(at, { ...argument, name: event.target.value })}
                />
              )}
            </Field>
            <Field label={text.argumentDescription} optional>
              {(control) => (
                <Input
                  {...control}
                  value={argument.description ?? ''}
                  onChange={(event) => put(at, without({ ...argument, description: event.target.value || undefined }))}
                />
              )}
            </Field>
          </div>
          <Field label={text.complete} hint={text.completeHint} optional>
            {(control) => (
              <Suggestions
                {...control}
                value={argument.complete}
                onChange={(complete) => put(at, without({ ...argument, complete }))}
              />
            )}
          </Field>
          <div className="flex items-center justify-between">
            <CheckField
              label={text.required}
              checked={argument.required ?? false}
              onChange={(event) => put(at, without({ ...argument, required: event.target.checked || undefined }))}
            />
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={text.removeArgument(argument.name)}
              onClick={() => onChange(value.filter((_row, i) => i !== at))}
            >
              <X />
            </Button>
          </div>
        </div>
      ))}
      {error && <p className="text-danger text-xs">{error}</p>}
      <Button size="sm" className="self-start" onClick={() => onChange([...value, { name: '' }])}>
        <Plus /> {text.addArgument}
      </Button>
    </div>
  );
}

interface SuggestionsProps {
  id: string;
  value: string[] | undefined;
  onChange: (value: string[] | undefined) => void;
}

/** A comma typed at the end stays in sight, though it ends no suggestion yet. */
function Suggestions({ value, onChange, ...control }: SuggestionsProps) {
  const [draft, setDraft] = useState<string>();
  return (
    <Input
      {...control}
      value={draft ?? (value ?? []).join(', ')}
      onBlur={() => setDraft(undefined)}
      onChange={(event) => {
        setDraft(event.target.value);
        const list = event.target.value
          .split(',')
          .map((entry) => entry.trim())
          .filter(Boolean);
        onChange(list.length > 0 ? list : undefined);
      }}
    />
  );
}

/** Members that are undefined are not there at all, so that an untouched form is not a changed one. */
function without(argument: Argument): Argument {
  return Object.fromEntries(Object.entries(argument).filter(([, value]) => value !== undefined)) as Argument;
}
