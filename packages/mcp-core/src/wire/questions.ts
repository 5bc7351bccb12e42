import { isJsonObject } from '../protocol/meta-keys.js';
import type { ClientCapabilities, InputRequest } from '../protocol/types.js';

type JsonObject = Record<string, unknown>;

/** How one revision asks its client (client features: elicitation, sampling, roots). */
export interface QuestionRules {
  /**
   * A sound question as clients of this revision are asked it. A string instead says why they cannot be asked.
   * @param newId makes an id for what needs one on the wire
   */
  carried(question: InputRequest, newId: () => string): InputRequest | string;
  /** What this question takes that the client has not declared; undefined when it may be asked. */
  undeclared(question: InputRequest, declared: ClientCapabilities): ClientCapabilities | undefined;
}

/**
 * The capabilities a question takes, as 2025-11-25 and 2026-07-28 divide them: an elicitation capability that names no
 * mode means forms, and url mode, sampling with tools and sampling with context are each declared apart.
 */
export function undeclared(question: InputRequest, declared: ClientCapabilities): ClientCapabilities | undefined {
  const { method, params = {} } = question;
  if (method === 'roots/list') return isJsonObject(declared.roots) ? undefined : { roots: {} };
  if (method === 'elicitation/create') return undeclaredMode(params.mode === 'url' ? 'url' : 'form', declared);
  const needed: JsonObject = {};
  if (samplesTools(params)) needed.tools = {};
  if (params.includeContext !== undefined && params.includeContext !== 'none') needed.context = {};
  return undeclaredSampling(needed, declared);
}

/** What of sampling is missing, beside the capability itself. */
export function undeclaredSampling(
  needed: JsonObject,
  { sampling }: ClientCapabilities,
): ClientCapabilities | undefined {
  if (!isJsonObject(sampling)) return { sampling: needed };
  const missing = Object.entries(needed).filter(([name]) => !isJsonObject(sampling[name]));
  return missing.length === 0 ? undefined : { sampling: Object.fromEntries(missing) };
}

function undeclaredMode(mode: 'form' | 'url', { elicitation }: ClientCapabilities): ClientCapabilities | undefined {
  const covered = isJsonObject(elicitation) && (mode in elicitation || (mode === 'form' && !('url' in elicitation)));
  return covered ? undefined : { elicitation: { [mode]: {} } };
}

/** Whether a sampling question uses tools, or shows the model an earlier use of them. */
export function samplesTools(params: Readonly<JsonObject>): boolean {
  if (params.tools !== undefined || params.toolChoice !== undefined) return true;
  return messagesOf(params).some(({ content }) =>
    blocksOf(content).some(({ type }) => type === 'tool_use' || type === 'tool_result'),
  );
}

/** The messages of a sampling question. */
export function messagesOf(params: Readonly<JsonObject>): readonly JsonObject[] {
  return Array.isArray(params.messages) ? params.messages.filter(isJsonObject) : [];
}

/** Content of a message: one block, or since 2025-11-25 several. */
export function blocksOf(content: unknown): readonly JsonObject[] {
  return (Array.isArray(content) ? content : [content]).filter(isJsonObject);
}
