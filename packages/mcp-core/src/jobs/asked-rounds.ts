import { askedOf, usableResult } from '../dispatch/input-answers.js';
import type { Question } from '../dispatch/questions.js';
import type { JobQuestion, JobRounds } from '../ports/jobs.js';
import type { InputAnswer, InputNeeded } from '../ports/tool-runner.js';
import type { InputRequest } from '../protocol/types.js';
import type { Era } from '../wire/revision.js';

type Questions = Readonly<Record<string, InputRequest>>;

/**
 * A round of questions under keys that no other question of the job has had (2026-07-28, tasks: keys are not used
 * again). In sessions they are numbers, which become parts of request ids.
 */
export function askedRounds(
  questions: readonly Question[],
  needed: InputNeeded,
  rounds: JobRounds,
  era: Era,
): { readonly questions: Questions; readonly rounds: JobRounds } {
  let count = rounds.count ?? 0;
  const open: [string, InputRequest][] = [];
  const asked: [string, JobQuestion][] = [];
  for (const [key, request] of questions) {
    count++;
    const wireKey = era === 'session' ? String(count) : rounds.round === 0 ? key : `${key}.${count}`;
    open.push([wireKey, request]);
    asked.push([wireKey, { key, ...askedOf(request) }]);
  }
  const { answers, kept, round } = rounds;
  return {
    questions: Object.fromEntries(open),
    rounds: {
      round: round + 1,
      answers,
      kept: { ...kept, ...needed.kept },
      requestState: needed.requestState,
      asked: Object.fromEntries(asked),
      count,
    },
  };
}

/**
 * Takes answers to a job's open questions: what answers none, or does not fit its question, is ignored. The job is to
 * run again when `questions` is undefined, with `rounds`.
 */
export function answeredRounds(
  questions: Questions,
  rounds: JobRounds,
  answers: Readonly<Record<string, InputAnswer>>,
): { readonly questions: Questions | undefined; readonly rounds: JobRounds; readonly changed: boolean } {
  const open = new Map(Object.entries(questions));
  const taken: [string, InputAnswer][] = [];
  for (const [wireKey, answer] of Object.entries(answers)) {
    const question = rounds.asked?.[wireKey];
    if (question === undefined || !open.has(wireKey)) continue;
    const usable = 'error' in answer ? answer : usableAnswer(question, answer.result);
    if (usable === undefined) continue;
    open.delete(wireKey);
    taken.push([question.key, usable]);
  }
  if (taken.length === 0) return { questions, rounds, changed: false };
  const results = taken.flatMap(([key, answer]) => ('result' in answer ? [[key, answer.result] as const] : []));
  const next: JobRounds = {
    ...rounds,
    answers: { ...rounds.answers, ...Object.fromEntries(taken) },
    responses: { ...rounds.responses, ...Object.fromEntries(results) },
  };
  if (open.size > 0) return { questions: Object.fromEntries(open), rounds: next, changed: true };
  const { asked: _, ...ready } = next;
  return { questions: undefined, rounds: ready, changed: true };
}

function usableAnswer(question: JobQuestion, result: unknown): InputAnswer | undefined {
  const usable = usableResult(question, result);
  return usable === undefined ? undefined : { result: usable };
}
