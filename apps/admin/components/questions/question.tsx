'use client';
import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { JsonEditor } from '@/components/schema-form/json-editor';
import { Button } from '@/components/ui/button';
import { isObject } from '@/lib/json';
import { elicit, type InputRequest, listRoots, sample } from '@/lib/questions/requests';
import { t } from '@/strings';
import { ElicitForm } from './elicit-form';
import { ElicitUrl } from './elicit-url';
import { Roots } from './roots';
import { Sampling } from './sampling';

const text = t.questions;

export interface QuestionProps {
  request: InputRequest;
  /** Takes the bare result of the question's method. */
  onAnswer: (result: Record<string, unknown>) => void;
  /** The person will not answer at all; what that does is the caller's. */
  onRefuse: () => void;
}

/** One question of a server, answered where it is asked: elicitation (form, url), sampling, roots. */
export function Question(props: QuestionProps) {
  const { request } = props;
  const message = request.params?.message;
  const [title, Form] = formOf(request);
  return (
    <section aria-label={title} className="flex flex-col gap-3 rounded-md border border-info-line bg-surface p-3">
      <header className="flex items-start gap-2">
        <CircleHelp className="mt-0.5 size-4 shrink-0 text-info" aria-hidden />
        <div className="min-w-0">
          <h3 className="font-medium text-sm">{title}</h3>
          {typeof message === 'string' && <p className="whitespace-pre-wrap break-words text-sm">{message}</p>}
        </div>
      </header>
      <Form {...props} />
    </section>
  );
}

function formOf({ method, params }: InputRequest) {
  if (method === elicit)
    return params?.mode === 'url' ? ([text.url.title, ElicitUrl] as const) : ([text.form.title, ElicitForm] as const);
  if (method === sample) return [text.sampling.title, Sampling] as const;
  if (method === listRoots) return [text.roots.title, Roots] as const;
  return [method, AnyAnswer] as const;
}

function AnyAnswer({ request, onAnswer, onRefuse }: QuestionProps) {
  const [result, setResult] = useState<Record<string, unknown>>({});
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted text-xs">{text.unknown(request.method)}</p>
      <JsonEditor
        label={text.result}
        rows={4}
        value={result}
        onChange={(value) => setResult(value as Record<string, unknown>)}
        refuse={(value) => (isObject(value) ? undefined : t.tools.schema.notObject)}
      />
      <div className="flex gap-2">
        <Button variant="primary" onClick={() => onAnswer(result)}>
          {text.answer}
        </Button>
        <Button onClick={onRefuse}>{text.refuse}</Button>
      </div>
    </div>
  );
}
