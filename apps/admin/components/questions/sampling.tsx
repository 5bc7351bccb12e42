'use client';
import { useState } from 'react';
import { ContentBlocks } from '@/components/content/content-block';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { isObject } from '@/lib/json';
import { t } from '@/strings';
import type { QuestionProps } from './question';

const text = t.questions.sampling;

/** The person answers as the model: sees the messages and tools, writes the text, or refuses. */
export function Sampling({ request, onAnswer, onRefuse }: QuestionProps) {
  const [answer, setAnswer] = useState('');
  const [model, setModel] = useState('person');
  const { messages, systemPrompt, tools, maxTokens } = request.params ?? {};
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (answer === '' || model === '') return;
        onAnswer({ role: 'assistant', content: { type: 'text', text: answer }, model, stopReason: 'endTurn' });
      }}
    >
      <p className="text-muted text-xs">
        {text.hint} {typeof maxTokens === 'number' && text.maxTokens(maxTokens)}
      </p>
      {typeof systemPrompt === 'string' && (
        <section aria-label={text.system}>
          <h4 className="text-muted text-xs">{text.system}</h4>
          <p className="whitespace-pre-wrap text-sm">{systemPrompt}</p>
        </section>
      )}
      <section aria-label={text.messages} className="flex flex-col gap-2">
        {(Array.isArray(messages) ? messages.filter(isObject) : []).map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the messages of one question never move
          <div key={index}>
            <h4 className="text-muted text-xs">{text.roles[String(message.role)] ?? String(message.role)}</h4>
            <ContentBlocks content={message.content} />
          </div>
        ))}
      </section>
      {Array.isArray(tools) && tools.length > 0 && (
        <section aria-label={text.tools}>
          <h4 className="text-muted text-xs">{text.tools}</h4>
          <ul className="mt-1 flex flex-col gap-0.5 text-sm">
            {tools.filter(isObject).map((tool) => (
              <li key={String(tool.name)}>
                <code>{String(tool.name)}</code>{' '}
                {typeof tool.description === 'string' && <span className="text-muted">{tool.description}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Field label={text.text}>
        {(control) => (
          <Textarea {...control} rows={3} value={answer} onChange={(event) => setAnswer(event.target.value)} />
        )}
      </Field>
      <Field label={text.model} className="max-w-64">
        {(control) => (
          <Input
            {...control}
            className="font-mono"
            value={model}
            onChange={(event) => setModel(event.target.value.trim())}
          />
        )}
      </Field>
      <div className="flex gap-2">
        <Button type="submit" variant="primary" disabled={answer === '' || model === ''}>
          {t.questions.answer}
        </Button>
        <Button onClick={onRefuse}>{t.questions.refuse}</Button>
      </div>
    </form>
  );
}
