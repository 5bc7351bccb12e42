import type { Implementation, Tool, ToolOutcome } from '../protocol/types.js';
import { encodeJson } from '../protocol/well-formed.js';
import type { Revision } from '../wire/revision.js';
import { findFault } from './schemas/validators.js';

/** A tool that failed, in words its caller can read. */
export function failure(text: string): ToolOutcome {
  return { content: [{ type: 'text', text }], isError: true };
}

/** An outcome that keeps what its tool promises; one that breaks the promise is a failure that says so. */
export function checkedOutcome(tool: Tool, outcome: ToolOutcome): ToolOutcome {
  return outcome.isError ? readableFailure(tool, outcome) : checkOutput(tool, outcome);
}

export interface ResultRules {
  readonly revision: Revision;
  readonly server: Implementation;
  /** Characters that a result may have. */
  readonly resultLength: number;
}

/** A checked outcome as the JSON text of a result, and whether it says that the tool failed. */
export function encodeToolResult(
  tool: Tool,
  outcome: ToolOutcome,
  { revision, server, resultLength }: ResultRules,
): { readonly json: string; readonly failed: boolean } {
  const json = encodeJson(revision.toolResult(outcome, tool, server));
  if (json.length <= resultLength) return { json, failed: outcome.isError === true };
  const words = `The result of tool ${tool.name} is too large: ${json.length} characters; the limit is ${resultLength}.`;
  return { json: encodeJson(revision.toolResult(failure(words), tool, server)), failed: true };
}

/** A failed run says why in words; structured content that breaks the tool's schema would make clients hide them. */
function readableFailure({ outputSchema }: Tool, outcome: ToolOutcome): ToolOutcome {
  const { structuredContent, ...rest } = outcome;
  if (structuredContent === undefined || outputSchema === undefined) return outcome;
  if (findFault(outputSchema, structuredContent, 'structuredContent') === undefined) return outcome;
  return rest.content.length > 0 ? rest : failure(encodeJson(structuredContent));
}

function checkOutput({ outputSchema, name }: Tool, outcome: ToolOutcome): ToolOutcome {
  if (outputSchema === undefined) return outcome;
  if (outcome.structuredContent === undefined) {
    return failure(`Tool ${name} promises structured content and returned none.`);
  }
  const fault = findFault(outputSchema, outcome.structuredContent, 'structuredContent');
  return fault === undefined
    ? outcome
    : failure(`Tool ${name} returned what its outputSchema does not allow: ${fault}`);
}
