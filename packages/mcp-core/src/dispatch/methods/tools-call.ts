import { PreEncoded } from '../../jsonrpc/encode.js';
import { MCP_CODES, MCPError } from '../../jsonrpc/errors.js';
import type { Params } from '../../jsonrpc/messages.js';
import type { JobRounds } from '../../ports/jobs.js';
import type { MaybePromise } from '../../ports/session-store.js';
import {
  Detached,
  type InputNeeded,
  type RoundInputs,
  type ToolCall,
  type ToolOutcome,
} from '../../ports/tool-runner.js';
import { isJsonObject } from '../../protocol/meta-keys.js';
import { BoundedRun } from '../bounded-run.js';
import { inTurn } from '../in-turn.js';
import { callAsJob } from '../job-call.js';
import { jobPlan, takesTasks } from '../job-plan.js';
import type { Method, Run } from '../method.js';
import type { PreparedTool } from '../prepared-server.js';
import { type ProgressReporter, progressOf } from '../progress.js';
import { admit, invalidParams } from '../request-context.js';
import { retriedRounds } from '../round-trips.js';
import { inRounds } from '../rounds.js';
import { requestFacts } from '../run-entry.js';
import { findFault } from '../schemas/validators.js';
import { checkedOutcome, encodeToolResult, failure } from '../tool-result.js';

type Arguments = Readonly<Record<string, unknown>>;
const NO_ARGUMENTS: Arguments = Object.freeze({});

export const toolsCall: Method = {
  name: 'tools/call',
  admitsItself: true,
  answer(params, run) {
    const { name } = params;
    if (typeof name !== 'string') throw invalidParams('name must be a string');
    const args = params.arguments ?? NO_ARGUMENTS;
    if (!isJsonObject(args)) throw invalidParams('arguments must be an object');
    const { extra } = run;
    const tool = extra.server.tool(name);
    if (tool === undefined) throw new MCPError(MCP_CODES.INVALID_PARAMS, `Unknown tool: ${name}`);
    extra.toolCalled(name);
    const waiting = admit(run, 'tools/call', params, name);
    return waiting === undefined ? call(tool, args, params, run) : waiting.then(() => call(tool, args, params, run));
  },
};

function call(tool: PreparedTool, args: Arguments, params: Params, run: Run): unknown {
  const { extra } = run;
  const mismatch = extra.mirrorFault(tool, args);
  if (mismatch !== undefined) {
    extra.refuseWith(400);
    throw new MCPError(MCP_CODES.HEADER_MISMATCH, mismatch);
  }
  const label = labelOf(tool.catalogued.definition.name);
  const progress = progressOf(run, params, label);
  const plan = jobPlan(tool, params, extra);
  const fault = argumentFault(tool, args);
  if (fault !== undefined) {
    const { argumentFaults, tasks } = extra.revision;
    // A request that asks for a task is answered with one, or with an error.
    const askedTask = plan?.face === 'task' && tasks?.decidedBy === 'client';
    if (askedTask || argumentFaults === 'invalid-params') throw invalidParams(fault);
    return encodeOutcome(tool, run, failure(`Invalid arguments for tool ${tool.catalogued.definition.name}: ${fault}`));
  }
  const toolCall: ToolCall = { tool: tool.catalogued, arguments: args, ...requestFacts(run, params) };
  const finish = (outcome: ToolOutcome) => encodeOutcome(tool, run, outcome);
  if (plan !== undefined) {
    const rounds = extra.revision.era === 'stateless' ? retriedRounds(run, params) : undefined;
    return callAsJob(run, params, { plan, call: toolCall, rounds, finish });
  }
  return inline(run, params, { call: toolCall, label, progress, finish });
}

interface InlineCall {
  readonly call: ToolCall;
  readonly label: string;
  readonly progress: ProgressReporter | undefined;
  finish(outcome: ToolOutcome): unknown;
}

function inline(run: Run, params: Params, { call, label, progress, finish }: InlineCall): unknown {
  let last: RoundInputs | undefined;
  return inRounds<ToolOutcome | Detached>(run, params, {
    label,
    start: (inputs) => {
      last = inputs;
      return runTool(run, call, inputs, progress);
    },
    finish: (outcome) => {
      if (!(outcome instanceof Detached)) return finish(outcome);
      return callAsJob(run, params, { plan: { face: 'task' }, call, rounds: detachedRounds(last, outcome), finish });
    },
    refused: failure,
  });
}

/** What a run leaves that goes on as a task: the job begins from the top and finds its answers and effects there. */
function detachedRounds(inputs: RoundInputs | undefined, { kept }: Detached): JobRounds {
  const { answers = {}, responses, requestState, kept: before } = inputs ?? {};
  return { round: 0, answers, kept: { ...before, ...kept }, requestState, ...(responses && { responses }) };
}

function runTool(
  run: Run,
  call: ToolCall,
  inputs: RoundInputs,
  progress: ProgressReporter | undefined,
): MaybePromise<ToolOutcome | InputNeeded | Detached> {
  const { extra } = run;
  const { timeoutMs, stateful, definition, task } = call.tool;
  const bounded = new BoundedRun<ToolOutcome | InputNeeded | Detached>(run, {
    label: labelOf(definition.name),
    timeoutMs,
    inputs,
    progress,
    detachable: task === 'optional' && extra.host.jobs !== undefined && takesTasks(extra),
    begin: (context) => extra.host.runner.run(call, context),
    timedOut: failure,
  });
  return stateful && extra.session ? inTurn(bounded, run, extra.session) : bounded.start();
}

function labelOf(name: string): string {
  return `tool ${name}`;
}

function argumentFault(tool: PreparedTool, args: Arguments): string | undefined {
  try {
    return findFault(tool.catalogued.definition.inputSchema, args, 'arguments');
  } catch (error) {
    const { name } = tool.catalogued.definition;
    const reason = error instanceof Error ? error.message : String(error);
    throw new MCPError(MCP_CODES.INTERNAL_ERROR, `The inputSchema of tool ${name} cannot be used: ${reason}`);
  }
}

/** Made into bytes here, inside the handler's guard, so that what cannot be encoded is an answer and no dropped socket. */
function encodeOutcome(tool: PreparedTool, run: Run, outcome: ToolOutcome): PreEncoded {
  const { extra } = run;
  const { definition } = tool.catalogued;
  const { json, failed } = encodeToolResult(definition, checkedOutcome(definition, outcome), {
    revision: extra.revision,
    server: extra.server.implementation,
    resultLength: extra.limits.resultLength,
  });
  if (failed) extra.toolFailed();
  return new PreEncoded(json);
}
