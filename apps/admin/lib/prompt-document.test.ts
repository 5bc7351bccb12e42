import { describe, expect, it } from 'vitest';
import { promptKindOf, promptLint, prunedPrompt, starterPrompt } from './prompt-document';

describe('a prompt document', () => {
  it('starts without anything to complain of, in either kind', () => {
    for (const kind of ['messages', 'code'] as const) {
      expect(promptKindOf(starterPrompt(kind))).toBe(kind);
      expect(promptLint(starterPrompt(kind))).toEqual({ unknown: [], unused: [] });
    }
  });

  it('names slots that nothing fills and arguments that nothing uses', () => {
    const prompt = {
      name: 'p',
      arguments: [{ name: 'a' }, { name: 'b' }],
      messages: [
        { role: 'user' as const, content: { type: 'text', text: '{a} and {c}' } },
        { role: 'user' as const, content: { type: 'resource', resource: { uri: 'x://{d}', text: '' } } },
      ],
    };
    expect(promptLint(prompt)).toEqual({ unknown: ['c', 'd'], unused: ['b'] });
  });

  it('sends no empty title and no empty description', () => {
    expect(prunedPrompt({ name: 'p', title: '', description: '' })).toEqual({ name: 'p' });
  });
});
