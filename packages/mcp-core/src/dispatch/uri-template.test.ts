import { describe, expect, it } from 'vitest';
import { asciiUri } from '../protocol/ascii-uri.js';
import { checkUriTemplate, compileUriTemplate, uriTemplateVariables } from './uri-template.js';
import { MAX_TEMPLATE_LENGTH } from './uri-template-parts.js';

function match(template: string, uri: string): Record<string, string> | undefined {
  const compiled = compileUriTemplate(template);
  if (typeof compiled === 'string') throw new Error(compiled);
  return compiled.match(asciiUri(uri));
}

describe('reading values out of URIs (RFC 6570)', () => {
  it.each<[string, string, Record<string, string> | undefined]>([
    ['orders://{id}', 'orders://O-88', { id: 'O-88' }],
    ['orders://{id}', 'orders://', undefined],
    ['orders://{id}', 'orders://a/b', undefined],
    ['orders://{id}', 'Orders://a', undefined],
    ['orders://{id}', 'orders://a?x', undefined],
    ['orders://{id}', 'orders://a%2Fb', { id: 'a/b' }],
    ['orders://{id}', 'orders://%zz', undefined],
    ['orders://{id}', 'orders://%ff', undefined],
    ['test://template/{id}/data', 'test://template/123/data', { id: '123' }],
    ['test://template/{id}/data', 'test://template/1/2/data', undefined],
    ['x://{a}-{b}', 'x://1-2', { a: '1', b: '2' }],
    ['x://{a,b}', 'x://1,2', { a: '1', b: '2' }],
    ['x://{a,b}', 'x://1', { a: '1' }],
    ['x://{list*}', 'x://1,2', { list: '1,2' }],
    ['file:///{+path}', 'file:///a/b.txt', { path: 'a/b.txt' }],
    ['file:///{+path}', 'file:///', undefined],
    ['x://a{#part}', 'x://a#b/c', { part: 'b/c' }],
    ['x://a{#part}', 'x://a', {}],
    ['x://a{/b,c}', 'x://a/1/2', { b: '1', c: '2' }],
    ['x://a{/b,c}', 'x://a/1', { b: '1' }],
    ['x://a{/b}', 'x://a/1/2', undefined],
    ['x://a{/path*}', 'x://a/1/2', { path: '1/2' }],
    ['x://a{.ext}', 'x://a.tar.gz', { ext: 'tar.gz' }],
    ['x://a{.b,c}', 'x://a.1.2', { b: '1', c: '2' }],
    ['x://a{;v,w}', 'x://a;w=2;v=1', { v: '1', w: '2' }],
    ['x://a{;v}', 'x://a;v', { v: '' }],
    ['x://a{?q,limit}', 'x://a', {}],
    ['x://a{?q,limit}', 'x://a?limit=5&q=ü%20x', { q: 'ü x', limit: '5' }],
    ['x://a{?q}', 'x://a?q=', { q: '' }],
    ['x://a{?q}', 'x://a?q', undefined],
    ['x://a{?q}', 'x://a?other=1', undefined],
    ['x://a{?q}', 'x://a?q=1&q=2', undefined],
    ['x://a{?q*}', 'x://a?q=1&q=2%2C5', { q: '1,2,5' }],
    ['x://a?fixed=1{&q}', 'x://a?fixed=1&q=2', { q: '2' }],
    ['x://a{?q}{&limit}', 'x://a?q=1&limit=2', { q: '1', limit: '2' }],
    ['kb://設計/{id}', 'kb://設計/é', { id: 'é' }],
    ['kb://設計/{id}', 'kb://%E8%A8%AD%E8%A8%88/%C3%A9', { id: 'é' }],
    ['x://a.c/{v}', 'x://abc/1', undefined],
    ['x://{__proto__}', 'x://1', Object.fromEntries([['__proto__', '1']])],
  ])('%s and %s', (template, uri, expected) => {
    expect(match(template, uri)).toEqual(expected);
  });

  it('is not led astray by text that comes again, or in another order', () => {
    expect(match('x://{+a}/b/{c}/b', 'x://b/b/b/b')).toEqual({ a: 'b', c: 'b' });
    expect(match('x://{+a}/b/{+c}/d', 'x://1/d/2/b')).toBeUndefined();
    expect(match('x://{a}x://', 'x://1')).toBeUndefined();
  });

  it('takes a URI with half a character as one that fits nothing it should not', () => {
    expect(match('x://{v}', 'x://\ud800')).toEqual({ v: '\ufffd' });
  });

  it('matches long URIs in time that grows with their length and no faster', () => {
    const compiled = compileUriTemplate('x://{a}-{b}-{c}-{d}-{+e}!');
    if (typeof compiled === 'string') throw new Error(compiled);
    // A backtracking matcher would try some 10^12 ways to divide this.
    expect(compiled.match(`x://${'-a'.repeat(1_000)}`)).toBeUndefined();
  });
});

describe('checking a template', () => {
  it('names its variables in order', () => {
    expect(uriTemplateVariables('x://{a}/{+b}{?c,d*}')).toEqual(['a', 'b', 'c', 'd']);
    expect(uriTemplateVariables('no template')).toEqual([]);
  });

  it.each([
    ['orders/{id}', 'must begin with a scheme'],
    ['{+any}', 'must begin with a scheme'],
    ['x://a', 'has no variables'],
    ['x://{a', 'a { without its }'],
    ['x://a}', 'percent-encoded'],
    ['x://a b{c}', 'percent-encoded'],
    ['x://50%{c}', 'percent-encoded'],
    ['x://{}', 'is not a variable name'],
    ['x://{a b}', 'is not a variable name'],
    ['x://{a,}', 'is not a variable name'],
    ['x://{a}{a}', 'names a more than once'],
    ['x://{a:3}', 'prefixes'],
    ['x://{=a}', 'reserves'],
    [`x://{a}${'b'.repeat(MAX_TEMPLATE_LENGTH)}`, 'longer than'],
    [`x://${Array.from({ length: 33 }, (_, at) => `{v${at}}`).join('')}`, 'more than 32 variables'],
  ])('says what is wrong with %s', (template, words) => {
    expect(checkUriTemplate(template)).toContain(words);
  });

  it('has nothing against what can be served', () => {
    expect(checkUriTemplate('orders://{id}/lines{?page,size}')).toBeUndefined();
  });
});
