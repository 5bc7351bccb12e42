import { InputNeeded, type InputRequest } from '@gantry/mcp-core';
import { isObject } from '../../../../common/json.js';
import { deeperThan, maxJsonDepth } from './sandbox/json-depth.js';
import type { RunEnd } from './sandbox/messages.js';
import { keyFault, maxQuestions, questionFault } from './sandbox/question-fault.js';

type Asking = Extract<RunEnd, { how: 'input-needed' }>;

/** The end of a run that asks nothing and wants to go on as a job. */
export class WantsToDetach extends InputNeeded {}

/** Why a run cannot end with the questions that it gave, in words for the tenant. */
export class UnusableQuestions extends Error {}

/**
 * The questions of a run, judged once more here: what made them ran beside tenant code. What earlier rounds kept is kept
 * on. Throws `UnusableQuestions`.
 */
export function inputNeededOf(
  { requestsJson, keptJson, requestStateJson }: Asking,
  keptBefore: Readonly<Record<string, unknown>>,
): InputNeeded {
  const requests = objectOf(requestsJson, 'the questions');
  const keys = Object.keys(requests);
  if (keys.length > maxQuestions) throw new UnusableQuestions(`it asked more than ${maxQuestions} questions at once`);
  for (const key of keys) {
    const fault = keyFault(key) ?? questionFault(JSON.stringify(requests[key]));
    if (fault) throw new UnusableQuestions(`question ${JSON.stringify(key)}: ${fault}`);
  }
  const kept = objectOf(keptJson, 'the results of ctx.once');
  for (const key of Object.keys(kept)) {
    const fault = keyFault(key);
    if (fault) throw new UnusableQuestions(`ctx.once: ${fault}`);
  }
  const requestState = requestStateJson === undefined ? undefined : jsonValue(requestStateJson, 'the state');
  return new InputNeeded(requests as Record<string, InputRequest>, requestState, { ...keptBefore, ...kept });
}

function objectOf(json: string, what: string): Record<string, unknown> {
  const value = jsonValue(json, what);
  if (!isObject(value)) throw new UnusableQuestions(`${what} cannot be read`);
  return value;
}

function jsonValue(json: string, what: string): unknown {
  if (deeperThan(maxJsonDepth, json)) {
    throw new UnusableQuestions(`${what} must not be nested more than ${maxJsonDepth} levels deep`);
  }
  try {
    return JSON.parse(json);
  } catch {
    throw new UnusableQuestions(`${what} cannot be read`);
  }
}
