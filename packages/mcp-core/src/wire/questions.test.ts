import { describe, expect, it } from 'vitest';
import type { InputRequest } from '../protocol/types.js';
import { REVISIONS } from './revisions.js';

const SESSION_REVISIONS = ['2025-06-18', '2025-11-25'];
const rulesOf = (name: string) => {
  const revision = REVISIONS.find((candidate) => candidate.name === name);
  if (revision === undefined) throw new Error(name);
  return revision.questions;
};
const carried = (name: string, question: InputRequest) => rulesOf(name).carried(question, () => 'fresh');

const form = (properties: object, more: object = {}): InputRequest => ({
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Which?', requestedSchema: { type: 'object', properties, ...more } },
});
const page: InputRequest = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Sign in', url: 'https://example.com/' },
};
const sample = (content: unknown, more: object = {}): InputRequest => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content }], maxTokens: 10, ...more },
});
const words = (text: string) => ({ type: 'text', text });

describe('questions as a revision carries them', () => {
  const rich = form(
    {
      titled: { type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }], default: 'a' },
      plain: { type: 'string', enum: ['x'], default: 'x' },
      yes: { type: 'boolean', default: true },
      count: { type: 'integer', minimum: 1, default: 3 },
    },
    { required: ['plain'], $schema: 'https://json-schema.org/draft/2020-12/schema' },
  );

  it('2026-07-28 and 2025-11-25: forms as they are', () => {
    expect([carried('2026-07-28', rich), carried('2025-11-25', rich)]).toEqual([rich, rich]);
  });

  it('2025-06-18: no mode, titles beside enums, defaults of booleans alone', () => {
    expect(carried('2025-06-18', rich)).toEqual({
      method: 'elicitation/create',
      params: {
        message: 'Which?',
        requestedSchema: {
          type: 'object',
          properties: {
            titled: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'b'] },
            plain: { type: 'string', enum: ['x'] },
            yes: { type: 'boolean', default: true },
            count: { type: 'integer', minimum: 1 },
          },
          required: ['plain'],
        },
      },
    });
  });

  it('2025-06-18: several choices, pages and tools cannot be asked', () => {
    const several = form({ many: { type: 'array', items: { enum: ['a'] } } });
    const use = { type: 'tool_use', id: '1', name: 't', input: {} };
    for (const question of [several, page, sample(words('x'), { tools: [] }), sample([use])]) {
      expect(carried('2025-06-18', question)).toEqual(expect.stringContaining('2025-11-25 or later'));
    }
  });

  it('2025-11-25 gives a page an id, 2026-07-28 takes it away', () => {
    expect(carried('2025-11-25', page)).toEqual({ ...page, params: { ...page.params, elicitationId: 'fresh' } });
    const named = { ...page, params: { ...page.params, elicitationId: 'mine' } };
    expect([carried('2025-11-25', named), carried('2026-07-28', named)]).toEqual([named, page]);
  });

  it.each(['2025-03-26', '2025-06-18'])('%s: a message holds one block', (name) => {
    const { params } = carried(name, sample([words('a'), words('b')])) as InputRequest;
    expect(params?.messages).toEqual([
      { role: 'user', content: words('a') },
      { role: 'user', content: words('b') },
    ]);
  });

  it('2025-03-26 has no elicitation', () => {
    expect(carried('2025-03-26', form({}))).toEqual(expect.stringContaining('2025-06-18 or later'));
  });
});

describe('what a question takes of the client', () => {
  const missing = (name: string, question: InputRequest, declared: object) =>
    rulesOf(name).undeclared(question, declared);

  it.each(['2025-11-25', '2026-07-28'])('%s: modes and parts are declared apart (wire B28, C41)', (name) => {
    const withContext = sample(words('x'), { includeContext: 'allServers' });
    const plain = sample(words('x'), { includeContext: 'none' });
    expect(missing(name, form({}), { elicitation: {} })).toBeUndefined();
    expect(missing(name, form({}), { elicitation: { form: {}, url: {} } })).toBeUndefined();
    expect(missing(name, form({}), { elicitation: { url: {} } })).toEqual({ elicitation: { form: {} } });
    expect(missing(name, page, { elicitation: { form: {} } })).toEqual({ elicitation: { url: {} } });
    expect(missing(name, page, { elicitation: { url: {} } })).toBeUndefined();
    expect(missing(name, plain, { sampling: {} })).toBeUndefined();
    expect(missing(name, withContext, { sampling: { tools: {} } })).toEqual({ sampling: { context: {} } });
    expect(missing(name, { method: 'roots/list' }, {})).toEqual({ roots: {} });
  });

  it.each(['2025-03-26', '2025-06-18'])('%s: sampling has no parts', (name) => {
    const withContext = sample(words('x'), { includeContext: 'allServers' });
    expect(missing(name, withContext, { sampling: {} })).toBeUndefined();
    expect(missing(name, withContext, {})).toEqual({ sampling: {} });
  });

  it.each(SESSION_REVISIONS)('%s: what is declared as no object is not declared', (name) => {
    for (const nothing of [null, true, [], 'yes']) {
      expect(missing(name, { method: 'roots/list' }, { roots: nothing })).toEqual({ roots: {} });
      expect(missing(name, form({}), { elicitation: nothing })).toEqual({ elicitation: { form: {} } });
    }
  });
});
