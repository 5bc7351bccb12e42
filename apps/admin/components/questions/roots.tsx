'use client';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { t } from '@/strings';
import type { QuestionProps } from './question';

const text = t.questions.roots;

/** The folders a client would open, as a list that the person writes. */
export function Roots({ onAnswer, onRefuse }: QuestionProps) {
  const [draft, setDraft] = useState('');
  const lines = draft
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const bad = lines.find((line) => !/^file:\/\/\//i.test(line) || !URL.canParse(line));
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (bad === undefined) onAnswer({ roots: lines.map((uri) => ({ uri, name: nameOf(uri) })) });
      }}
    >
      <Field label={text.list} hint={text.hint} error={bad === undefined ? undefined : text.bad(bad)}>
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            className="font-mono text-[12.5px]"
            placeholder="file:///home/ada/project"
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
        )}
      </Field>
      <div className="flex gap-2">
        <Button type="submit" variant="primary" disabled={bad !== undefined}>
          {t.questions.answer}
        </Button>
        <Button onClick={onRefuse}>{t.questions.refuse}</Button>
      </div>
    </form>
  );
}

const nameOf = (uri: string) => uri.replace(/\/+$/, '').split('/').at(-1) || uri;
