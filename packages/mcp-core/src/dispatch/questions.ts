import type { InputNeeded } from '../ports/tool-runner.js';
import { isJsonObject } from '../protocol/meta-keys.js';
import type { ClientCapabilities, InputRequest } from '../protocol/types.js';
import { questionFault } from './question-faults.js';
import type { AskingContext } from './run-host.js';

/** Questions of one round. */
const MAX_QUESTIONS = 16;
/** Rounds of one request, so that a run that asks for ever ends. */
const MAX_ROUNDS = 20;

/** A question by its key, as the client's revision carries it. */
export type Question = readonly [key: string, request: InputRequest];

/**
 * A round's questions, ready to be asked; or why they cannot be asked, in words that follow the label; or what the
 * client has not declared.
 */
export type Round =
  | { readonly questions: readonly Question[] }
  | { readonly refusal: string }
  | { readonly undeclared: ClientCapabilities };

/** Checks what a run asks: that it can be asked at all, in this revision, and of this client. */
export function prepareRound({ requests }: InputNeeded, round: number, context: AskingContext): Round {
  if (round > MAX_ROUNDS) return { refusal: `asked ${MAX_ROUNDS} times in a row and has no result yet` };
  if (!isJsonObject(requests))
    return { refusal: 'asked something that cannot be asked: the questions must be an object' };
  const entries = Object.entries(requests);
  if (entries.length > MAX_QUESTIONS) {
    return { refusal: `asked ${entries.length} questions at once; the limit is ${MAX_QUESTIONS}` };
  }
  const questions: Question[] = [];
  const undeclared: ClientCapabilities[] = [];
  const { revision, client, ids } = context;
  for (const [key, given] of entries) {
    const fault = questionFault(given);
    if (fault !== undefined) return { refusal: `asked something that cannot be asked: question "${key}": ${fault}` };
    const request = onlyQuestion(given);
    const missing = revision.questions.undeclared(request, client.capabilities);
    if (missing !== undefined) undeclared.push(missing);
    const carried = revision.questions.carried(request, () => ids.next());
    if (typeof carried === 'string') return { refusal: `cannot ask this client: question "${key}": ${carried}` };
    questions.push([key, carried]);
  }
  return undeclared.length === 0 ? { questions } : { undeclared: together(undeclared) };
}

/** Capabilities for people: "elicitation.form, roots". */
export function capabilityNames(capabilities: ClientCapabilities): string {
  const names = Object.entries(capabilities).flatMap(([name, parts]) => {
    const inner = Object.keys(parts);
    return inner.length === 0 ? [name] : inner.map((part) => `${name}.${part}`);
  });
  return names.join(', ');
}

/** Without members that a tenant's code may have added. */
function onlyQuestion({ method, params }: InputRequest): InputRequest {
  return params === undefined ? { method } : { method, params };
}

function together(all: readonly ClientCapabilities[]): ClientCapabilities {
  const merged: Record<string, Record<string, unknown>> = {};
  for (const capabilities of all) {
    for (const [name, parts] of Object.entries(capabilities)) merged[name] = { ...merged[name], ...parts };
  }
  return merged;
}
