import { PreEncoded } from '../jsonrpc/encode.js';
import { MCP_CODES } from '../jsonrpc/errors.js';
import type { Params } from '../jsonrpc/messages.js';
import type { JobRounds } from '../ports/jobs.js';
import { type InputAnswer, InputNeeded, type RoundInputs } from '../ports/tool-runner.js';
import { isJsonObject } from '../protocol/meta-keys.js';
import type { ClientCapabilities, Implementation } from '../protocol/types.js';
import { encodeJson } from '../protocol/well-formed.js';
import { askedOf, usableResults } from './input-answers.js';
import type { Run } from './method.js';
import { capabilityNames, prepareRound, type Question } from './questions.js';
import { refuse } from './request-context.js';
import { capital, FIRST_ROUND, type Rounds, refuseRound } from './round.js';
import { MAX_STATE_LENGTH, openState, type RoundState, sealState } from './round-state.js';
import type { AskingContext, SealingContext } from './run-host.js';

/*
 * Questions of 2026-07-28: the request ends with them, and a retry brings the answers (basic/patterns, multi round-trip
 * requests). All that joins the two is the state the client carries.
 */

type Results = Readonly<Record<string, unknown>>;

/** What the rounds before left, without what the run itself gave for the next one. */
interface Past {
  readonly round: number;
  readonly answers: RoundInputs['answers'];
  readonly kept: RoundInputs['kept'];
}

const NOTHING: Past = { round: 0, answers: {}, kept: {} };

/** Whether a request comes back from a round of questions. */
export function isRetry(params: Params): boolean {
  return params.requestState !== undefined || params.inputResponses !== undefined;
}

/** Runs a retry with what it brought. */
export async function resume<T>(run: Run, params: Params, rounds: Rounds<T>): Promise<unknown> {
  const results = isJsonObject(params.inputResponses) ? params.inputResponses : undefined;
  if (params.requestState !== undefined) return proceed(run, params, rounds, openState(run, params), results);
  // The client has lost the state. It is asked as if it were new, and what it brought counts if it fits the questions.
  const outcome = await rounds.start(FIRST_ROUND);
  if (!(outcome instanceof InputNeeded)) return rounds.finish(outcome);
  const prepared = prepareRound(outcome, 1, run.extra);
  if (results === undefined || !('questions' in prepared)) return handBack(run, params, rounds, outcome);
  const state = stateOf(NOTHING, outcome, prepared.questions);
  if (Object.keys(usableResults(state.asked, results)).length === 0) return handBack(run, params, rounds, outcome);
  run.signal.throwIfAborted();
  return proceed(run, params, rounds, state, results);
}

/** Answers a request with what its run asks. */
export function handBack<T>(
  run: Run,
  params: Params,
  rounds: Rounds<T>,
  needed: InputNeeded,
  past: Past = NOTHING,
): unknown {
  const { extra } = run;
  const handed = handedBack(run, params, needed, past);
  if ('refusal' in handed) return refuseRound(rounds, handed.refusal);
  if ('undeclared' in handed) refuse(extra, { status: 400, ...undeclaredError(rounds.label, handed.undeclared) });
  const json = encodeJson(handed.result);
  const { resultLength } = extra.limits;
  if (json.length <= resultLength) return new PreEncoded(json);
  return refuseRound(rounds, `asks with ${json.length} characters; the limit is ${resultLength}`);
}

/** A round as the result of its request; or why it cannot be asked, in words that follow the label; or what is undeclared. */
export type HandedBack =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly refusal: string }
  | { readonly undeclared: ClientCapabilities };

/** The round that a run asks for, sealed for the retry of the request with these params. */
export function handedBack(
  context: SealingContext & { readonly extra: AskingContext & { readonly server: { implementation: Implementation } } },
  params: Params,
  needed: InputNeeded,
  past: Past,
): HandedBack {
  const { extra } = context;
  const prepared = prepareRound(needed, past.round + 1, extra);
  if (!('questions' in prepared)) return prepared;
  const { questions } = prepared;
  const requestState = sealState(context, params, stateOf(past, needed, questions));
  if (requestState === undefined) {
    return { refusal: `keeps too much between its rounds: the limit is ${MAX_STATE_LENGTH} characters` };
  }
  return {
    result: {
      ...extra.revision.envelope(extra.server.implementation),
      resultType: 'input_required',
      ...(questions.length === 0 ? {} : { inputRequests: Object.fromEntries(questions) }),
      requestState,
    },
  };
}

/** The error for a run that asks for what its client has not declared. */
export function undeclaredError(label: string, undeclared: ClientCapabilities) {
  return {
    code: MCP_CODES.MISSING_REQUIRED_CLIENT_CAPABILITY,
    message: `${capital(label)} needs what the client has not declared: ${capabilityNames(undeclared)}`,
    data: { requiredCapabilities: undeclared },
  };
}

/**
 * What a retry brings to a run that is not here; undefined for a client that has lost the state, which is asked anew.
 * @throws MCPError -32602 for a state that is not this request's
 */
export function retriedRounds(run: Run, params: Params): JobRounds | undefined {
  if (params.requestState === undefined) return undefined;
  const results = isJsonObject(params.inputResponses) ? params.inputResponses : undefined;
  const { round, kept, requestState, ...state } = openState(run, params);
  const { answers, responses } = withResults({ ...state, round, kept }, results);
  return { round, answers, kept, requestState, ...(responses && { responses }) };
}

/** The answers of all rounds with those that came now, and the bare results of these. */
function withResults(state: RoundState, results: Results | undefined) {
  const responses = results === undefined ? undefined : usableResults(state.asked, results);
  const answered = Object.entries(responses ?? {}).map(([key, result]): [string, InputAnswer] => [key, { result }]);
  return { responses, answers: { ...state.answers, ...Object.fromEntries(answered) } };
}

async function proceed<T>(
  run: Run,
  params: Params,
  rounds: Rounds<T>,
  state: RoundState,
  results: Results | undefined,
): Promise<unknown> {
  const { responses, answers } = withResults(state, results);
  const { round, kept, requestState } = state;
  const outcome = await rounds.start({ answers, responses, requestState, kept });
  if (!(outcome instanceof InputNeeded)) return rounds.finish(outcome);
  return handBack(run, params, rounds, outcome, { round, answers, kept });
}

function stateOf({ round, answers, kept }: Past, needed: InputNeeded, questions: readonly Question[]): RoundState {
  return {
    round: round + 1,
    answers,
    kept: { ...kept, ...needed.kept },
    requestState: needed.requestState,
    asked: Object.fromEntries(questions.map(([key, question]) => [key, askedOf(question)])),
  };
}
