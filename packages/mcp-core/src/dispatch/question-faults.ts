import { isJsonObject } from '../protocol/meta-keys.js';
import { formFault } from './form-faults.js';

type JsonObject = Record<string, unknown>;

/** Why something given as a question cannot be one, naming the place; undefined when it is sound. */
export function questionFault(question: unknown): string | undefined {
  if (!isJsonObject(question)) return 'it must be an object with method and params';
  const { method, params = {} } = question;
  if (!isJsonObject(params)) return 'params must be an object';
  if (method === 'roots/list') return undefined;
  if (method === 'sampling/createMessage') return samplingFault(params);
  if (method === 'elicitation/create') return elicitationFault(params);
  return 'method must be elicitation/create, sampling/createMessage or roots/list';
}

function elicitationFault(params: JsonObject): string | undefined {
  const { mode = 'form', message } = params;
  if (typeof message !== 'string' || message === '') return 'params.message must be a text';
  if (mode === 'form') return formFault(params.requestedSchema, 'params.requestedSchema');
  if (mode === 'url') return urlFault(params.url);
  return 'params.mode must be "form" or "url"';
}

/** A page that a person is sent to is served over TLS, unless it is on their own machine. */
function urlFault(value: unknown): string | undefined {
  const at = 'params.url';
  if (typeof value !== 'string' || !URL.canParse(value)) return `${at} must be a URL`;
  const { protocol, hostname } = new URL(value);
  const loopback = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && loopback) ? undefined : `${at} must be an https URL`;
}

function samplingFault({ messages, maxTokens }: JsonObject): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return 'params.messages must be a list of messages';
  for (const [index, message] of messages.entries()) {
    const fault = messageFault(message);
    if (fault !== undefined) return `params.messages[${index}] ${fault}`;
  }
  const sound = Number.isSafeInteger(maxTokens) && (maxTokens as number) > 0;
  return sound ? undefined : 'params.maxTokens must be an integer above 0';
}

function messageFault(message: unknown): string | undefined {
  if (!isJsonObject(message)) return 'must be an object';
  if (!isRole(message.role)) return 'must have the role user or assistant';
  if (!isContent(message.content)) return 'must have content';
  const blocks = Array.isArray(message.content) ? (message.content as JsonObject[]) : [];
  const results = blocks.filter(({ type }) => type === 'tool_result').length;
  return results === 0 || results === blocks.length ? undefined : 'must not mix tool results with other content';
}

/** Who says a message of a conversation. */
export function isRole(value: unknown): boolean {
  return value === 'user' || value === 'assistant';
}

/** One content block, or several. */
export function isContent(value: unknown): boolean {
  const blocks = Array.isArray(value) ? value : [value];
  return blocks.length > 0 && blocks.every((block) => isJsonObject(block) && typeof block.type === 'string');
}
