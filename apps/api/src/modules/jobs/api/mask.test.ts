import { describe, expect, it } from 'vitest';
import { masked } from './mask.js';

describe('masked', () => {
  it('hides texts and numbers under names that secrets have, however deep', () => {
    const value = { password: 'x', list: [{ apiKey: 7, access_token: 'y' }], name: 'Ada', maxTokens: 5 };
    expect(masked(value)).toEqual({
      password: '••••',
      list: [{ apiKey: '••••', access_token: '••••' }],
      name: 'Ada',
      maxTokens: 5,
    });
  });

  it('looks into what stands under such a name and holds more', () => {
    expect(masked({ secrets: { note: 'seen', token: 'x' } })).toEqual({ secrets: { note: 'seen', token: '••••' } });
  });

  it('hides the items of a list under such a name', () => {
    const value = { authorization: ['Bearer x', 7], cookies: [['sid=x'], { note: 'seen', token: 'y' }] };
    expect(masked(value)).toEqual({
      authorization: ['••••', '••••'],
      cookies: [['••••'], { note: 'seen', token: '••••' }],
    });
  });

  it.each([null, 'text', 4, true])('leaves %s as it is', (value) => {
    expect(masked(value)).toBe(value);
  });

  it('shows nothing below a depth that no sound value has', () => {
    let deep: unknown = 'bottom';
    for (let at = 0; at < 100; at += 1) deep = [deep];
    expect(JSON.stringify(masked(deep))).not.toContain('bottom');
  });
});
