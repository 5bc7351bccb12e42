'use client';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import type { Asked, InputResponses } from '@/lib/questions/requests';
import { t } from '@/strings';
import { Question } from './question';

const text = t.questions;

interface QuestionRoundProps {
  asked: Asked;
  onDone: (responses: InputResponses) => void;
  onRefuse: () => void;
}

/** The questions of one round, which go back together: a single one at once, several when all are answered. */
export function QuestionRound({ asked, onDone, onRefuse }: QuestionRoundProps) {
  const [responses, setResponses] = useState<InputResponses>({});
  const keys = Object.keys(asked.inputRequests);
  const open = keys.filter((key) => !(key in responses));

  function answer(key: string, result: Record<string, unknown>) {
    const next = { ...responses, [key]: result };
    if (keys.length === 1) onDone(next);
    else setResponses(next);
  }

  return (
    <section
      aria-label={text.round(keys.length)}
      className="flex flex-col gap-2.5 rounded-md border border-info-line bg-info-soft p-3"
    >
      <div role="status">
        <h3 className="font-medium text-info text-sm">{text.round(keys.length)}</h3>
        <p className="text-muted text-xs">{text.hint}</p>
      </div>
      {keys.map((key) =>
        open.includes(key) ? (
          <Question
            key={key}
            request={asked.inputRequests[key]!}
            onAnswer={(result) => answer(key, result)}
            onRefuse={onRefuse}
          />
        ) : (
          <p key={key} className="flex items-center gap-2 text-sm">
            <CircleCheck className="size-4 text-ok" aria-hidden />
            <code>{key}</code> {text.answered}
            <Button
              variant="link"
              className="text-xs"
              onClick={() => setResponses(Object.fromEntries(Object.entries(responses).filter(([own]) => own !== key)))}
            >
              {text.change}
            </Button>
          </p>
        ),
      )}
      {keys.length !== 1 && (
        <Button variant="primary" className="self-start" disabled={open.length > 0} onClick={() => onDone(responses)}>
          {keys.length === 0 ? text.again : text.send}
        </Button>
      )}
    </section>
  );
}
