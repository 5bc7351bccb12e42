import { PreEncoded } from '../../jsonrpc/encode.js';
import { MCP_CODES, MCPError } from '../../jsonrpc/errors.js';
import type { Params } from '../../jsonrpc/messages.js';
import type { ToolCall, ToolOutcome } from '../../ports/tool-runner.js';
import { foreignMeta, isJsonObject } from '../../protocol/meta-keys.js';
import { isProgressToken, rawProgressToken } from '../../protocol/progress-token.js';
import { encodeJson } from '../../protocol/well-formed.js';
import type { Method, Run } from '../method.js';
import type { PreparedTool } from '../prepared-server.js';
import { admit, invalidParams, type StateHolder } from '../request-context.js';
import { findFault } from '../schemas/validators.js';
import { TimedOutOutcome, ToolRun } from '../tool-run.js';

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
  const token = rawProgressToken(params);
  if (token !== undefined && !isProgressToken(token)) {
    throw invalidParams('_meta.progressToken must be a string or an integer');
  }
  const fault = argumentFault(tool, args);
  if (fault !== undefined) {
    if (extra.revision.argumentFaults === 'invalid-params') throw invalidParams(fault);
    return encodeOutcome(tool, run, failure(`Invalid arguments for tool ${tool.catalogued.definition.name}: ${fault}`));
  }
  const toolCall: ToolCall = {
    tool: tool.catalogued,
    arguments: args,
    requestId: run.id,
    sessionId: extra.session?.id,
    meta: foreignMeta(params._meta),
  };
  const toolRun = new ToolRun(run, toolCall, token);
  const outcome = tool.catalogued.stateful && extra.session ? inTurn(toolRun, run) : toolRun.start();
  if (outcome instanceof Promise) return outcome.then((settled) => encodeOutcome(tool, run, settled));
  return encodeOutcome(tool, run, outcome);
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

/** A stateful tool: after the calls before it, with the session's state. */
function inTurn(toolRun: ToolRun, run: Run): Promise<ToolOutcome> {
  const session = run.extra.session;
  return (session as NonNullable<typeof session>).exclusively(run.signal, async (holder: StateHolder) => {
    // Cancelled after its turn had come, while the state was read.
    run.signal.throwIfAborted();
    toolRun.state = holder.state;
    const outcome = await toolRun.start();
    // A run that was cut off may still be changing what it was given; what was stored before it stands.
    holder.state = outcome instanceof TimedOutOutcome ? undefined : toolRun.state;
    return outcome;
  });
}

/** Made into bytes here, inside the handler's guard, so that what cannot be encoded is an answer and no dropped socket. */
function encodeOutcome(tool: PreparedTool, run: Run, outcome: ToolOutcome): PreEncoded {
  const { extra } = run;
  const { definition } = tool.catalogued;
  const checked = outcome.isError ? readableFailure(tool, outcome) : checkOutput(tool, outcome);
  if (checked.isError) extra.toolFailed();
  const json = encodeJson(extra.revision.toolResult(checked, definition, extra.server.implementation));
  const { resultLength } = extra.limits;
  if (json.length <= resultLength) return new PreEncoded(json);
  const words = `The result of tool ${definition.name} is too large: ${json.length} characters; the limit is ${resultLength}.`;
  return encodeOutcome(tool, run, failure(words));
}

/** A failed run says why in words; structured content that breaks the tool's schema would make clients hide them. */
function readableFailure(tool: PreparedTool, outcome: ToolOutcome): ToolOutcome {
  const { outputSchema } = tool.catalogued.definition;
  const { structuredContent, ...rest } = outcome;
  if (structuredContent === undefined || outputSchema === undefined) return outcome;
  if (findFault(outputSchema, structuredContent, 'structuredContent') === undefined) return outcome;
  return rest.content.length > 0 ? rest : failure(encodeJson(structuredContent));
}

function checkOutput(tool: PreparedTool, outcome: ToolOutcome): ToolOutcome {
  const { outputSchema, name } = tool.catalogued.definition;
  if (outputSchema === undefined) return outcome;
  if (outcome.structuredContent === undefined) {
    return failure(`Tool ${name} promises structured content and returned none.`);
  }
  const fault = findFault(outputSchema, outcome.structuredContent, 'structuredContent');
  return fault === undefined
    ? outcome
    : failure(`Tool ${name} returned what its outputSchema does not allow: ${fault}`);
}

function failure(text: string): ToolOutcome {
  return { content: [{ type: 'text', text }], isError: true };
}
