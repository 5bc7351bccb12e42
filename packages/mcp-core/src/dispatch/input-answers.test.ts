import { describe, expect, it } from 'vitest';
import { QUESTIONS } from '../testing/asking-tools.js';
import { askedOf, usableResult, usableResults } from './input-answers.js';

const name = askedOf(QUESTIONS.name);
const block = { type: 'text', text: 'Paris' };

describe('answers', () => {
  it.each<[unknown, unknown]>([
    [
      { action: 'accept', content: { name: 'Ada' } },
      { action: 'accept', content: { name: 'Ada' } },
    ],
    [
      { action: 'accept', content: { name: 'Ada', more: 1 }, extra: 1 },
      { action: 'accept', content: { name: 'Ada', more: 1 } },
    ],
    [{ action: 'decline' }, { action: 'decline' }],
    [{ action: 'cancel', content: { name: 7 } }, { action: 'cancel' }],
    [{ action: 'accept' }, undefined],
    [{ action: 'accept', content: { name: 7 } }, undefined],
    [{ action: 'accept', content: ['Ada'] }, undefined],
    [{ action: 'maybe' }, undefined],
    ['Ada', undefined],
    [null, undefined],
  ])('to a form: %j', (result, usable) => {
    expect(usableResult(name, result)).toEqual(usable);
  });

  it('to a page hold no content', () => {
    expect(usableResult(askedOf(QUESTIONS.page), { action: 'accept', content: { token: 'x' } })).toEqual({
      action: 'accept',
    });
  });

  it.each<[unknown, boolean]>([
    [{ role: 'assistant', content: block, model: 'm' }, true],
    [{ role: 'assistant', content: [block, block], model: 'm', stopReason: 'endTurn' }, true],
    [{ role: 'assistant', content: block }, false],
    [{ role: 'model', content: block, model: 'm' }, false],
    [{ role: 'assistant', content: 'Paris', model: 'm' }, false],
    [{ role: 'assistant', content: [], model: 'm' }, false],
  ])('to sampling: %j', (result, usable) => {
    expect(usableResult(askedOf(QUESTIONS.capital), result)).toBe(usable ? result : undefined);
  });

  it.each<[unknown, boolean]>([
    [{ roots: [] }, true],
    [{ roots: [{ uri: 'file:///a', name: 'A' }] }, true],
    [{ roots: [{ name: 'A' }] }, false],
    [{ roots: {} }, false],
    [{}, false],
  ])('to roots: %j', (result, usable) => {
    expect(usableResult(askedOf(QUESTIONS.places), result)).toBe(usable ? result : undefined);
  });

  it('are taken by the keys that were asked, and by no others', () => {
    const declined = { action: 'decline' };
    const given = JSON.parse('{"__proto__": {"action": "decline"}, "name": {"action": "decline"}, "toString": 1}');
    expect(usableResults({ name }, given)).toEqual({ name: declined });
    expect(Object.keys(usableResults({ constructor: name } as never, {}))).toEqual([]);
    expect(Object.entries(usableResults(JSON.parse('{"__proto__": {"method": "elicitation/create"}}'), given))).toEqual(
      [['__proto__', declined]],
    );
  });
});
