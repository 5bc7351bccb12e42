import { describe, expect, it } from 'vitest';
import { safeNext } from './safe-next';

describe('where the sign-in leads', () => {
  it('keeps a path of the console with its query', () => {
    expect(safeNext('/t/acme/calls?status=error')).toBe('/t/acme/calls?status=error');
  });

  it.each([undefined, '', 'https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)', '/\t/evil.test'])(
    'never leaves the console for %j',
    (next) => {
      const target = safeNext(next);
      expect(target.startsWith('//')).toBe(false);
      expect(new URL(target, 'http://console.test').origin).toBe('http://console.test');
    },
  );
});
