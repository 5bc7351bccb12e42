import { isJsonObject } from '../../protocol/meta-keys.js';
import type { InputRequest } from '../../protocol/types.js';
import { type JsonObject, without } from '../projection.js';
import {
  blocksOf,
  messagesOf,
  type QuestionRules,
  samplesTools,
  undeclared,
  undeclaredSampling,
} from '../questions.js';

/** Forms only, without modes; enums carry their titles beside them; only booleans have defaults. */
export const questions: QuestionRules = {
  carried({ method, params = {} }): InputRequest | string {
    if (method === 'roots/list') return { method };
    if (method === 'sampling/createMessage') return olderSampling(params);
    if (params.mode === 'url') return 'elicitation in url mode needs a client of 2025-11-25 or later';
    const { properties } = params.requestedSchema as { properties: Record<string, JsonObject> };
    const several = Object.entries(properties).find(([, { type }]) => type === 'array');
    if (several !== undefined) {
      return `"${several[0]}" lets several values be chosen, which needs a client of 2025-11-25 or later`;
    }
    return { method, params: { message: params.message, requestedSchema: olderForm(params.requestedSchema) } };
  },
  undeclared: (question, declared) =>
    question.method === 'sampling/createMessage' ? undeclaredSampling({}, declared) : undeclared(question, declared),
};

/** A sampling question for revisions before 2025-11-25: no tools, and one block a message. */
export function olderSampling(params: Readonly<JsonObject>): InputRequest | string {
  if (samplesTools(params)) return 'sampling with tools needs a client of 2025-11-25 or later';
  const messages = messagesOf(params).flatMap((message) =>
    blocksOf(message.content).map((content) => ({ role: message.role, content })),
  );
  return { method: 'sampling/createMessage', params: { ...params, messages } };
}

function olderForm(schema: unknown): JsonObject {
  const { properties, required } = schema as { properties: Record<string, JsonObject>; required?: unknown };
  const older = Object.entries(properties).map(([name, property]) => [name, olderProperty(property)]);
  return { type: 'object', properties: Object.fromEntries(older), ...(required === undefined ? {} : { required }) };
}

function olderProperty(property: JsonObject): JsonObject {
  const copy = property.type === 'boolean' ? { ...property } : without(property, 'default');
  if (!Array.isArray(copy.oneOf)) return copy;
  const choices = copy.oneOf.filter(isJsonObject);
  const titled = { enum: choices.map((choice) => choice.const), enumNames: choices.map(nameOf) };
  return { ...without(copy, 'oneOf'), ...titled };
}

function nameOf(choice: JsonObject): string {
  return typeof choice.title === 'string' ? choice.title : String(choice.const);
}
