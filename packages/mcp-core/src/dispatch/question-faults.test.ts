import { describe, expect, it } from 'vitest';
import { QUESTIONS } from '../testing/asking-tools.js';
import { questionFault } from './question-faults.js';

const form = (requestedSchema: unknown) => ({
  method: 'elicitation/create',
  params: { message: 'm', requestedSchema },
});
const field = (schema: unknown) => form({ type: 'object', properties: { it: schema } });
const page = (url: unknown) => ({ method: 'elicitation/create', params: { mode: 'url', message: 'm', url } });
const sample = (messages: unknown, maxTokens: unknown = 1) => ({
  method: 'sampling/createMessage',
  params: { messages, maxTokens },
});
const text = { type: 'text', text: 't' };
const result = { type: 'tool_result', toolUseId: '1', content: [] };

describe('questions', () => {
  it.each(Object.entries(QUESTIONS))('of every kind are sound: %s', (_key, question) => {
    expect(questionFault(question)).toBeUndefined();
  });

  it.each([
    { type: 'string', format: 'email', minLength: 1, maxLength: 9, default: 'a@b.c' },
    { type: 'string', enum: ['a'], enumNames: ['A'] },
    { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
    { type: 'number', minimum: 0, maximum: 1 },
    { type: 'integer' },
    { type: 'boolean', default: false },
    { type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1 },
    { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
  ])('may have a field %j', (schema) => {
    expect(questionFault(field(schema))).toBeUndefined();
  });

  it.each(['https://example.com/x?y=1', 'http://localhost:3000/', 'http://127.0.0.1/', 'http://[::1]:8080/'])(
    'may send a person to %s',
    (url) => expect(questionFault(page(url))).toBeUndefined(),
  );

  it.each<[unknown, string]>([
    [null, 'it must be an object'],
    ['name?', 'it must be an object'],
    [{}, 'method must be'],
    [{ method: 'ping' }, 'method must be'],
    [{ method: 'roots/list', params: [] }, 'params must be an object'],
    [{ method: 'elicitation/create' }, 'params.message must be a text'],
    [{ method: 'elicitation/create', params: { message: '' } }, 'params.message must be a text'],
    [{ method: 'elicitation/create', params: { message: 'm', mode: 'voice' } }, 'params.mode must be'],
    [form(undefined), 'params.requestedSchema must be an object schema'],
    [form({ type: 'string' }), 'params.requestedSchema must be an object schema'],
    [form({ type: 'object', properties: Object.fromEntries(Array(101).entries()) }), 'more than 100 properties'],
    [field('string'), 'params.requestedSchema.properties.it must be a schema'],
    [field({ type: 'object', properties: {} }), 'properties.it must be of type'],
    [field({ type: 'array', items: { type: 'string' } }), 'properties.it of type array must have items'],
    [field({ type: 'string', oneOf: [{ title: 'x' }] }), 'properties.it must have oneOf'],
    [field({ type: 'string', oneOf: 'x' }), 'properties.it must have oneOf'],
    [field({ type: 'array', items: { anyOf: [{ title: 'x' }] } }), 'properties.it of type array must have items'],
    [field({ type: 'array', items: { enum: ['a'] }, minItems: '1' }), 'must have a number as minItems'],
    [field({ type: 'string', pattern: '(' }), 'properties.it has a pattern that cannot be used'],
    [field({ type: 'string', pattern: 7 }), 'properties.it must have a text of at most 1000 characters as pattern'],
    [field({ type: 'string', minLength: '1' }), 'properties.it must have a number as minLength'],
    [field({ type: 'string', enum: 'a' }), 'properties.it must have a list as enum'],
    [field({ type: 'string', allOf: [{}] }), 'properties.it has allOf, which fields of forms do not have'],
    [field({ type: 'string', $ref: '#' }), 'properties.it has $ref'],
    [form({ type: 'object', properties: {}, required: [1] }), 'params.requestedSchema.required must be'],
    [form({ type: 'object', properties: {}, anyOf: [] }), 'params.requestedSchema has anyOf, which forms'],
    [form({ type: 'object', properties: {}, additionalProperties: {} }), 'additionalProperties must be'],
    [page(undefined), 'params.url must be a URL'],
    [page('/in'), 'params.url must be a URL'],
    [page('http://example.com/'), 'params.url must be an https URL'],
    [page('javascript:alert(1)'), 'params.url must be an https URL'],
    [sample([]), 'params.messages must be a list'],
    [sample([{ role: 'system', content: text }]), 'params.messages[0] must have the role'],
    [
      sample([
        { role: 'user', content: text },
        { role: 'user', content: 'x' },
      ]),
      'params.messages[1] must have content',
    ],
    [sample([{ role: 'user', content: [result, text] }]), 'must not mix tool results'],
    [sample([{ role: 'user', content: text }], 0), 'params.maxTokens must be an integer'],
    [sample([{ role: 'user', content: text }], '1'), 'params.maxTokens must be an integer'],
  ])('%j is none', (question, words) => {
    expect(questionFault(question)).toContain(words);
  });
});
