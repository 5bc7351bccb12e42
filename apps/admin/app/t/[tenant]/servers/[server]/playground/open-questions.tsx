'use client';
import { Question } from '@/components/questions/question';
import { t } from '@/strings';
import type { OpenQuestion } from './_client/use-connection';

/** What the server asks at this moment, where the reader is. */
export function OpenQuestions({ questions }: { questions: readonly OpenQuestion[] }) {
  if (questions.length === 0) return null;
  return (
    <section
      aria-label={t.playground.questions}
      className="flex flex-col gap-2.5 rounded-md border border-info-line bg-info-soft p-3"
    >
      <p role="status" className="font-medium text-info text-sm">
        {t.questions.round(questions.length)}
      </p>
      {questions.map(({ id, request, answer, refuse }) => (
        <Question key={id} request={request} onAnswer={answer} onRefuse={refuse} />
      ))}
    </section>
  );
}
