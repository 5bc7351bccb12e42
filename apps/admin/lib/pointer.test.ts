import { describe, expect, it } from 'vitest';
import { assignErrors, errorsUnder, fieldError, parsePointer, toPointer } from './pointer';

describe('JSON Pointers', () => {
  it('escapes and unescapes "~" and "/"', () => {
    const tokens = ['http', 'headers', 'a/b', 'c~d', '~1'];
    expect(toPointer(tokens)).toBe('/http/headers/a~1b/c~0d/~01');
    expect(parsePointer(toPointer(tokens))).toEqual(tokens);
  });

  it('reads the empty pointer as the whole document', () => {
    expect(parsePointer('')).toEqual([]);
  });
});

describe('errors at their fields', () => {
  const errors = [
    { path: '/http/url', message: 'no host' },
    { path: '/http/url', message: 'no scheme' },
    { path: '/http/headers/X-A', message: 'bad' },
    { path: '/inputSchema/properties/a/type', message: 'unknown type' },
    { path: '/icons/0/src', message: 'not https' },
    { path: '', message: 'more than one runner' },
  ];

  it('joins the messages of one field', () => {
    expect(fieldError(errors, '/http/url')).toBe('no host; no scheme');
    expect(fieldError(errors, '/http/headers')).toBeUndefined();
  });

  it('finds what lies below a pointer, and nothing that only begins alike', () => {
    expect(errorsUnder([...errors, { path: '/http/headersX', message: 'no' }], '/http/headers')).toEqual([errors[2]]);
  });

  it('gives each error to the deepest field that holds it, and hands back the rest', () => {
    const { byField, rest } = assignErrors(errors, ['/http', '/http/url', '/http/headers', '/inputSchema']);
    expect([...byField.keys()]).toEqual(['/http/url', '/http/headers', '/inputSchema']);
    expect(byField.get('/http/url')).toHaveLength(2);
    expect(rest.map((entry) => entry.path)).toEqual(['/icons/0/src', '']);
  });
});
