import { describe, expect, it } from 'vitest';
import { outcomeOf } from './outcome.js';

const outcome = (value: unknown) => outcomeOf('probe', JSON.stringify(value));

describe('outcomeOf', () => {
  it('makes one text block of a string, and no content of undefined', () => {
    expect(outcome('hi')).toEqual({ content: [{ type: 'text', text: 'hi' }] });
    expect(outcomeOf('probe', undefined)).toEqual({ content: [] });
  });

  it.each([[{ a: 1 }], [[1, 2]], [7], [false], [null]])('makes structured content with a text copy of %j', (value) => {
    expect(outcome(value)).toEqual({
      content: [{ type: 'text', text: JSON.stringify(value) }],
      structuredContent: value,
    });
  });

  it('takes an object with content or structuredContent as it is', () => {
    const content = [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }];
    expect(outcome({ content, structuredContent: { a: 1 }, isError: true, _meta: { x: 1 } })).toEqual({
      content,
      structuredContent: { a: 1 },
      isError: true,
      _meta: { x: 1 },
    });
    expect(outcome({ structuredContent: { a: 1 } })).toEqual({
      content: [{ type: 'text', text: '{"a":1}' }],
      structuredContent: { a: 1 },
    });
  });

  it.each([
    [{ content: 'x' }, 'content must be a list'],
    [{ content: [{ type: 'text' }] }, 'content[0].text must be a string'],
    [{ content: [{ type: 'constructor' }] }, 'content[0].type "constructor" is not known'],
    [{ content: [{ type: 'resource', resource: { uri: 'a:b' } }] }, 'content[0].resource'],
    [{ content: [null] }, 'content[0] must be an object'],
    [{ content: [], _meta: 4 }, '_meta must be an object'],
  ])('says what is wrong with %j', (value, words) => {
    const { isError, content } = outcome(value);
    expect(isError).toBe(true);
    expect(content[0]).toMatchObject({ text: expect.stringContaining(words) });
  });

  it('refuses what is nested so deep that it would overflow a stack', () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(outcomeOf('probe', deep(100_000)).isError).toBe(true);
    expect(outcomeOf('probe', JSON.stringify('['.repeat(100_000))).isError).toBeUndefined();
    expect(
      outcomeOf('probe', JSON.stringify(Array.from({ length: 1_000 }, () => ['"[', '\\']))).isError,
    ).toBeUndefined();
  });
});
