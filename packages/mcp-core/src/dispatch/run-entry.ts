import { PreEncoded } from '../jsonrpc/encode.js';
import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { Params } from '../jsonrpc/messages.js';
import type { CatalogueEntry } from '../ports/catalogue.js';
import type { MaybePromise } from '../ports/session-store.js';
import { type InputNeeded, type RequestFacts, type RunContext, RunFailure } from '../ports/tool-runner.js';
import { foreignMeta } from '../protocol/meta-keys.js';
import { encodeJson } from '../protocol/well-formed.js';
import { BoundedRun } from './bounded-run.js';
import { inTurn } from './in-turn.js';
import type { Run } from './method.js';
import { progressOf } from './progress.js';
import { inRounds } from './rounds.js';

/** A prompt or resource that is run for a request: what fails of it is an error, since its result has no other place. */
export interface EntryRun<T> {
  readonly entry: CatalogueEntry<unknown>;
  /** For people: "prompt greet". */
  readonly label: string;
  begin(context: RunContext): MaybePromise<T | InputNeeded>;
  /** The error that says a failure to the client. */
  failed(words: string): MCPError;
  /** The outcome as a result of the request's revision. May throw. */
  result(outcome: T): object;
}

/** Runs it in its turn and its time, round after round, and makes the result into bytes inside the handler's guard. */
export function runEntry<T>(run: Run, params: Params, subject: EntryRun<T>): unknown {
  const { label, entry } = subject;
  const { extra } = run;
  const progress = progressOf(run, params, label);
  const fail = (words: string): never => {
    throw subject.failed(words);
  };
  return inRounds<T>(run, params, {
    label,
    start: (inputs) =>
      inWords(subject, () => {
        const bounded = new BoundedRun<T | InputNeeded>(run, {
          label,
          timeoutMs: entry.timeoutMs,
          inputs,
          progress,
          begin: (context) => subject.begin(context),
          timedOut: fail,
        });
        return entry.stateful && extra.session ? inTurn(bounded, run, extra.session) : bounded.start();
      }),
    finish: (outcome) => encodeResult(run, subject, outcome),
    refused: fail,
  });
}

/** What every request that runs something tells its runner. */
export function requestFacts(run: Run, params: Params): RequestFacts {
  return { requestId: run.id, sessionId: run.extra.session?.id, meta: foreignMeta(params._meta) };
}

/** A failure that the tenant's own code or backend put into words is told in these words. */
function inWords<T, R>(subject: EntryRun<T>, job: () => MaybePromise<R>): MaybePromise<R> {
  const told = (error: unknown): never => {
    throw error instanceof RunFailure ? subject.failed(error.message) : error;
  };
  try {
    const outcome = job();
    return outcome instanceof Promise ? outcome.catch(told) : outcome;
  } catch (error) {
    return told(error);
  }
}

function encodeResult<T>(run: Run, subject: EntryRun<T>, outcome: T): PreEncoded {
  const json = encodeJson(subject.result(outcome));
  const { resultLength } = run.extra.limits;
  if (json.length <= resultLength) return new PreEncoded(json);
  const message = `The result of ${subject.label} is too large: ${json.length} characters; the limit is ${resultLength}.`;
  throw new MCPError(MCP_CODES.INTERNAL_ERROR, message);
}
