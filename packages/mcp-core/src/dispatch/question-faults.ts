import { isJsonObject } from '../protocol/meta-keys.js';
import { validatorByText } from './schemas/validators.js';

type JsonObject = Record<string, unknown>;

const PRIMITIVES = new Set(['string', 'number', 'integer', 'boolean']);
/** Fields that one form may have. */
const FIELDS_MAX = 100;

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
  if (mode === 'form') return formFault(params.requestedSchema);
  if (mode === 'url') return urlFault(params.url);
  return 'params.mode must be "form" or "url"';
}

/** Forms are flat objects of primitives (elicitation, requested schema). */
function formFault(schema: unknown): string | undefined {
  const at = 'params.requestedSchema';
  if (!isJsonObject(schema) || schema.type !== 'object' || !isJsonObject(schema.properties)) {
    return `${at} must be an object schema with properties`;
  }
  const fields = Object.entries(schema.properties);
  if (fields.length > FIELDS_MAX) return `${at} has more than ${FIELDS_MAX} properties`;
  for (const [name, field] of fields) {
    const fault = fieldFault(field);
    if (fault !== undefined) return `${at}.properties.${name} ${fault}`;
  }
  try {
    validatorByText(schema);
    return undefined;
  } catch (error) {
    return `${at} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function fieldFault(field: unknown): string | undefined {
  if (!isJsonObject(field)) return 'must be a schema';
  if (field.type === 'array') {
    const { items } = field;
    const choices = isJsonObject(items) && (Array.isArray(items.enum) || Array.isArray(items.anyOf));
    return choices ? undefined : 'of type array must have items with enum or anyOf';
  }
  if (!PRIMITIVES.has(field.type as string)) {
    return 'must be of type string, number, integer, boolean, or an array of choices';
  }
  return field.oneOf === undefined || isChoices(field.oneOf) ? undefined : 'must have oneOf of {const, title}';
}

function isChoices(value: unknown): boolean {
  return Array.isArray(value) && value.every((choice) => isJsonObject(choice) && typeof choice.const === 'string');
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
