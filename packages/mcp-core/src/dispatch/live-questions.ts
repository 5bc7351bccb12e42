import { MCPError, RequestCancelledError, RequestTimeoutError } from '../jsonrpc/errors.js';
import { type InputAnswer, InputNeeded } from '../ports/tool-runner.js';
import { askedOf, usableResult } from './input-answers.js';
import type { Run } from './method.js';
import { capabilityNames, prepareRound, type Question } from './questions.js';
import { type Rounds, refuseRound } from './round.js';

/*
 * Questions of the revisions before 2026-07-28: requests to the client on the stream of the request that asks. What was
 * answered is kept here until that request is over.
 */

/** How long a person is waited for, in milliseconds. */
const ANSWER_LIMIT_MS = 600_000;
/** Characters of JSON that all answers to one request may have together. */
const MAX_ANSWERS_LENGTH = 4 * 1024 * 1024;

type Answers = Readonly<Record<string, InputAnswer>>;

/** Asks, runs again with the answers, and so on until there is an outcome. */
export async function askLive<T>(run: Run, rounds: Rounds<T>, first: InputNeeded): Promise<unknown> {
  let needed = first;
  let answers: Answers = {};
  let kept: Readonly<Record<string, unknown>> = {};
  for (let round = 1; ; round++) {
    const given = await askRound(run, needed, round);
    if (typeof given === 'string') return refuseRound(rounds, given);
    answers = { ...answers, ...given };
    if (JSON.stringify(answers).length > MAX_ANSWERS_LENGTH) {
      return refuseRound(rounds, `was given answers of more than ${MAX_ANSWERS_LENGTH} characters`);
    }
    kept = { ...kept, ...needed.kept };
    run.signal.throwIfAborted();
    const { requestState } = needed;
    const outcome = await rounds.start({ answers, responses: resultsOf(given), requestState, kept });
    if (!(outcome instanceof InputNeeded)) return rounds.finish(outcome);
    needed = outcome;
  }
}

/** The usable answers of one round; or why there are none, in words that follow the label. */
async function askRound(run: Run, needed: InputNeeded, round: number): Promise<Answers | string> {
  const { extra, signal } = run;
  const prepared = prepareRound(needed, round, extra);
  if ('refusal' in prepared) return prepared.refusal;
  if ('questions' in prepared && prepared.questions.length === 0) return {};
  const obstacle = await extra.askable(signal);
  if (obstacle !== undefined) return `cannot ask this client: ${obstacle}`;
  if ('undeclared' in prepared) {
    return `cannot ask this client, which has not declared ${capabilityNames(prepared.undeclared)}`;
  }
  // When one of them has failed, nobody waits for the others any more.
  const together = new AbortController();
  try {
    const given = await Promise.all(prepared.questions.map((question) => ask(run, question, together.signal)));
    return Object.fromEntries(given.flat());
  } catch (error) {
    if (!(error instanceof RequestTimeoutError)) throw error;
    return `was not answered by the client within ${ANSWER_LIMIT_MS / 60_000} minutes`;
  } finally {
    together.abort();
  }
}

/** One answer by its key, or none if what came does not answer the question. */
async function ask(run: Run, [key, question]: Question, signal: AbortSignal): Promise<[string, InputAnswer][]> {
  const { method, params } = question;
  try {
    const answer = await run.request(method, params, { signal, maxTotalTimeoutMs: ANSWER_LIMIT_MS });
    const result = usableResult(askedOf(question), answer);
    return result === undefined ? [] : [[key, { result }]];
  } catch (error) {
    const ended = error instanceof RequestTimeoutError || error instanceof RequestCancelledError;
    if (ended || !(error instanceof MCPError)) throw error;
    return [[key, { error: { code: error.code, message: error.message } }]];
  }
}

function resultsOf(answers: Answers): Record<string, unknown> {
  const results = Object.entries(answers).flatMap(([key, answer]) =>
    'result' in answer ? [[key, answer.result]] : [],
  );
  return Object.fromEntries(results);
}
