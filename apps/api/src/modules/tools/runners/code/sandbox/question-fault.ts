import { deeperThan, maxJsonDepth } from './json-depth.js';

/** Questions of one round. */
export const maxQuestions = 16;
const maxKeyLength = 128;

/** What keeps a key from naming a question or a kept result, in words; undefined when nothing does. */
export function keyFault(key: unknown): string | undefined {
  if (typeof key !== 'string') return 'the key must be a string';
  if (key === '' || key.length > maxKeyLength) return `the key must have 1 to ${maxKeyLength} characters`;
  // Whoever collects values by key in a plain object would lose it.
  return key === '__proto__' ? 'the key must not be "__proto__"' : undefined;
}

/**
 * What keeps JSON text that tenant code made from being a question `{method, params?}` (schema: InputRequest), in words
 * that name the member; undefined when nothing does.
 */
export function questionFault(json: string): string | undefined {
  if (deeperThan(maxJsonDepth, json)) return `it is nested more than ${maxJsonDepth} levels deep`;
  let question: unknown;
  try {
    question = JSON.parse(json);
  } catch {
    return 'it is no JSON';
  }
  if (!isObject(question)) return 'it must be an object with method and params';
  const { method, params = {} } = question;
  if (typeof method !== 'string' || !Object.hasOwn(paramsFaults, method)) {
    return `method must be one of ${Object.keys(paramsFaults).join(', ')}`;
  }
  if (!isObject(params)) return 'params must be an object';
  return paramsFaults[method as keyof typeof paramsFaults](params);
}

type Members = Record<string, unknown>;

const paramsFaults = {
  'elicitation/create': elicitationFault,
  'sampling/createMessage': samplingFault,
  'roots/list': (_params: Members): undefined => undefined,
};

function elicitationFault({ mode = 'form', message, requestedSchema, url }: Members): string | undefined {
  if (mode !== 'form' && mode !== 'url') return 'params.mode must be "form" or "url"';
  if (typeof message !== 'string') return 'params.message must be a string';
  if (mode === 'url') {
    const web = typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
    return web ? undefined : 'params.url must be an absolute http or https URL';
  }
  const form = isObject(requestedSchema) && requestedSchema.type === 'object' && isObject(requestedSchema.properties);
  return form ? undefined : 'params.requestedSchema must be {type: "object", properties: {…}}';
}

function samplingFault({ messages, maxTokens }: Members): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return 'params.messages must be a list of messages';
  for (const [index, message] of messages.entries()) {
    const role = isObject(message) && (message.role === 'user' || message.role === 'assistant');
    if (!role) return `params.messages[${index}].role must be "user" or "assistant"`;
    if (typeof message.content !== 'object' || message.content === null) {
      return `params.messages[${index}].content must be a content block`;
    }
  }
  if (!Number.isSafeInteger(maxTokens) || (maxTokens as number) < 1) return 'params.maxTokens must be a whole number';
  return undefined;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
