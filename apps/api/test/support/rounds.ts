import { type InputAnswer, InputNeeded, type InputRequest, type RoundInputs } from '@gantry/mcp-core';
import { firstRound } from './code-runner.js';

export interface Conversation<T> {
  readonly outcome: T;
  /** The keys that each round asked for. */
  readonly asked: string[][];
}

/** Runs round after round as the engine does, answering each question, until there is an outcome. */
export async function converse<T>(
  round: (inputs: RoundInputs) => Promise<T | InputNeeded>,
  answer: (key: string, request: InputRequest) => InputAnswer,
): Promise<Conversation<T>> {
  const asked: string[][] = [];
  let inputs = firstRound;
  for (;;) {
    const outcome = await round(inputs);
    if (!(outcome instanceof InputNeeded)) return { outcome, asked };
    if (asked.push(Object.keys(outcome.requests)) > 10) throw new Error(`it asks for ever: ${JSON.stringify(asked)}`);
    const answers = Object.entries(outcome.requests).map(([key, request]) => [key, answer(key, request)] as const);
    const results = answers.flatMap(([key, given]) => ('result' in given ? [[key, given.result] as const] : []));
    inputs = {
      answers: { ...inputs.answers, ...Object.fromEntries(answers) },
      responses: Object.fromEntries(results),
      requestState: outcome.requestState,
      kept: outcome.kept,
    };
  }
}
