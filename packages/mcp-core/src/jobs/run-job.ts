import { BoundedRun } from '../dispatch/bounded-run.js';
import { ProgressReporter } from '../dispatch/progress.js';
import { capabilityNames, prepareRound } from '../dispatch/questions.js';
import { capital } from '../dispatch/round.js';
import { handedBack, undeclaredError } from '../dispatch/round-trips.js';
import { checkedOutcome, failure } from '../dispatch/tool-result.js';
import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { JobEnd, JobRounds, JobRun, JobRunEnd } from '../ports/jobs.js';
import type { MaybePromise } from '../ports/session-store.js';
import { InputNeeded, type RoundInputs, type ToolCall, type ToolOutcome } from '../ports/tool-runner.js';
import { encodeJson } from '../protocol/well-formed.js';
import type { Revision } from '../wire/revision.js';
import { servedRevision } from '../wire/revisions.js';
import { askedRounds } from './asked-rounds.js';
import { JobHost, type ProgressListener } from './job-host.js';
import type { JobServices } from './job-services.js';

/** What a run that is answered at once asks for with no question may do so often. */
const MAX_EMPTY_ROUNDS = 20;
const NOTHING: JobRounds = { round: 0, answers: {}, kept: {} };

/**
 * Runs a claimed job once: what it says on the way goes to its reply stream, its end is for the host to keep and, after
 * that, for `answerJob`. Settles when the tool has settled, or its time is up.
 * @param signal aborts the work; the run then ends as `cancelled`
 * @param progressed told each progress that was said
 */
export async function runJob(
  run: JobRun,
  services: JobServices,
  signal: AbortSignal,
  progressed?: ProgressListener,
): Promise<JobRunEnd> {
  const revision = servedRevision(run.caller.client.revision);
  const host = new JobHost(run, revision, services, signal, progressed);
  const label = `tool ${run.tool.definition.name}`;
  const token = run.caller.progressToken ?? '';
  const progress = new ProgressReporter(host, token, services.logger, label, await host.floor());
  let rounds = run.rounds ?? NOTHING;
  try {
    for (let empty = 0; ; empty++) {
      signal.throwIfAborted();
      const outcome = await begun(run, services, host, { label, progress, rounds });
      if (!(outcome instanceof InputNeeded)) {
        // An end that is kept is final: whatever was said before it would be lost with this process. What may not be
        // repeated keeps its end first, for then its outcome would be unknown as well.
        if (run.repeatable) await host.said();
        return ended(run, services, revision, outcome);
      }
      if (Object.keys(outcome.requests ?? {}).length > 0 || empty === MAX_EMPTY_ROUNDS) {
        return asks(run, services, revision, label, outcome, rounds);
      }
      rounds = { ...rounds, kept: { ...rounds.kept, ...outcome.kept }, requestState: outcome.requestState };
    }
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled' };
    return { kind: 'ended', end: failed(error, run, services) };
  }
}

interface Round {
  readonly label: string;
  readonly progress: ProgressReporter;
  readonly rounds: JobRounds;
}

/** One round, from its begin until nothing of it works any more. */
async function begun(run: JobRun, services: JobServices, host: JobHost, round: Round) {
  try {
    return await start(run, services, host, round);
  } finally {
    await host.stopped();
  }
}

function start(
  run: JobRun,
  { runner }: JobServices,
  host: JobHost,
  { label, progress, rounds }: Round,
): MaybePromise<ToolOutcome | InputNeeded> {
  const { tool, caller } = run;
  const { requestId, sessionId, meta } = caller;
  const call: ToolCall = { tool, arguments: run.arguments, asJob: true, requestId, sessionId, meta };
  return new BoundedRun<ToolOutcome | InputNeeded>(host, {
    label,
    timeoutMs: tool.timeoutMs,
    inputs: inputsOf(rounds),
    progress,
    // A job is detached already: it gives an outcome or asks.
    begin: (context) => runner.run(call, context) as MaybePromise<ToolOutcome | InputNeeded>,
    timedOut: failure,
  }).start();
}

function inputsOf({ answers, responses, requestState, kept }: JobRounds): RoundInputs {
  return { answers, responses, requestState, kept };
}

function ended(run: JobRun, services: JobServices, revision: Revision, outcome: ToolOutcome): JobRunEnd {
  const { definition } = run.tool;
  const checked = checkedOutcome(definition, outcome);
  const { length } = encodeJson(revision.toolResult(checked, definition, run.snapshot.serverInfo));
  const { resultLength } = services.limits;
  if (length <= resultLength) return { kind: 'ended', end: { outcome: checked } };
  const words = `The result of tool ${definition.name} is too large: ${length} characters; the limit is ${resultLength}.`;
  return { kind: 'ended', end: { outcome: failure(words) } };
}

function failed(error: unknown, run: JobRun, { logger }: JobServices): JobEnd {
  if (error instanceof MCPError && Number.isInteger(error.code)) {
    const { code, message, data } = error;
    return { error: data === undefined ? { code, message } : { code, message, data } };
  }
  logger.error({ job: run.id, tool: run.tool.definition.name, error: String(error) }, 'a job failed');
  return { error: { code: MCP_CODES.INTERNAL_ERROR, message: 'Internal error' } };
}

/** A call of 2026-07-28 hands its questions back; everything else waits for answers and then runs again. */
function asks(
  run: JobRun,
  services: JobServices,
  revision: Revision,
  label: string,
  needed: InputNeeded,
  rounds: JobRounds,
): JobRunEnd {
  const { clock, ids, stateSealer: sealer } = services;
  const { client, principal } = run.caller;
  const refused = (words: string): JobRunEnd => ({
    kind: 'ended',
    end: { outcome: failure(`${capital(label)} ${words}.`) },
  });
  if (revision.era === 'stateless' && run.face === 'call') {
    const host = { server: run.server, owner: run.owner, principal };
    const extra = { clock, sealer, ids, revision, client, host, server: { implementation: run.snapshot.serverInfo } };
    const params = { name: run.tool.definition.name, arguments: { ...run.arguments } };
    const handed = handedBack({ method: 'tools/call', extra }, params, needed, rounds);
    if ('result' in handed) return { kind: 'ended', end: { handedBack: handed.result } };
    if ('refusal' in handed) return refused(handed.refusal);
    return { kind: 'ended', end: { error: undeclaredError(label, handed.undeclared) } };
  }
  const { unaskable } = run.caller;
  if (unaskable !== undefined) return refused(`cannot ask this client: ${unaskable}`);
  const prepared = prepareRound(needed, rounds.round + 1, { revision, client, ids });
  if ('refusal' in prepared) return refused(prepared.refusal);
  if ('undeclared' in prepared) {
    if (revision.era === 'stateless')
      return { kind: 'ended', end: { error: undeclaredError(label, prepared.undeclared) } };
    return refused(`cannot ask this client, which has not declared ${capabilityNames(prepared.undeclared)}`);
  }
  return { kind: 'asks', ...askedRounds(prepared.questions, needed, rounds, revision.era) };
}
