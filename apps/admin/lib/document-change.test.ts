import { describe, expect, it } from 'vitest';
import { changeInWords } from './document-change';

const none = { added: [], changed: [], removed: [] };

describe('changeInWords', () => {
  it('counts every list by what happened to it', () => {
    const diff = {
      ...none,
      added: ['a', 'b'],
      removed: ['c'],
      prompts: { ...none, changed: ['p'] },
      resources: { ...none, inside: ['r'] },
      resourceTemplates: { ...none, removed: ['x', 'y'] },
    };
    expect(changeInWords(diff)).toBe(
      '2 tools added, 1 tool removed, 1 prompt changed, 1 resource changed inside, 2 templates removed',
    );
  });

  it('says so when clients see no difference', () => {
    expect(changeInWords({ ...none, prompts: none })).toBe('no change in what clients list');
  });
});
