import { serverDocumentSchema } from '@gantry/contracts';
import { describe, expect, it } from 'vitest';
import { documentDiff } from './document-diff.js';

const none = { added: [], changed: [], removed: [] };
const parse = (lists: object) => serverDocumentSchema.parse({ name: 'x', ...lists });
const resource = (uri: string, more: object = {}) => ({ uri, name: uri, text: 'a', ...more });
const prompt = (more: object = {}) => ({ name: 'p', messages: [], ...more });

describe('documentDiff', () => {
  it('has tools alone where there is nothing else', () => {
    expect(documentDiff(undefined, parse({}))).toEqual(none);
  });

  it('tells of each list by itself', () => {
    const before = parse({ resources: [resource('a:1'), resource('a:2')], prompts: [prompt()] });
    const after = parse({
      resources: [resource('a:2', { title: 'Two' }), resource('a:3')],
      resourceTemplates: [{ uriTemplate: 'a:{id}', name: 'T', text: '' }],
    });
    expect(documentDiff(before, after)).toEqual({
      ...none,
      prompts: { ...none, removed: ['p'] },
      resources: { added: ['a:3'], changed: ['a:2'], removed: ['a:1'] },
      resourceTemplates: { ...none, added: ['a:{id}'] },
    });
  });

  it('sees what clients see, such as a size; sources and completions changed inside', () => {
    const diff = (before: object, after: object) => documentDiff(parse(before), parse(after));
    const completing = { arguments: [{ name: 'a', complete: ['x'] }], stateful: true, timeoutMs: 5 };
    expect(
      diff({ prompts: [prompt({ arguments: [{ name: 'a' }] })] }, { prompts: [prompt(completing)] }).prompts,
    ).toEqual({ ...none, inside: ['p'] });
    expect(diff({ resources: [resource('a:1')] }, { resources: [resource('a:1', { text: 'b' })] }).resources).toEqual({
      ...none,
      inside: ['a:1'],
    });
    expect(
      diff({ resources: [resource('a:1')] }, { resources: [resource('a:1', { text: 'bb' })] }).resources?.changed,
    ).toEqual(['a:1']);
  });
});
