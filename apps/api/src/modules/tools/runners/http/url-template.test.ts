import { describe, expect, it } from 'vitest';
import { Notes } from '../compiled.js';
import { ArgumentRefused } from './argument-error.js';
import { UrlTemplate } from './url-template.js';

function expand(text: string, args: Record<string, unknown> = {}, extra: string[] = []) {
  const notes = new Notes();
  const template = UrlTemplate.compile(text, '/url', notes);
  if (!template) throw new Error(JSON.stringify(notes.faults));
  return template.expand(args, extra);
}

function faultsOf(text: string) {
  const notes = new Notes();
  UrlTemplate.compile(text, '/url', notes);
  return notes.faults.map((fault) => fault.message);
}

describe('a URL template', () => {
  it.each([
    ['https://a.test', {}, 'https://a.test/'],
    ['https://A.test:443/x', {}, 'https://a.test/x'],
    ['https://a.test/o/{id}', { id: 7 }, 'https://a.test/o/7'],
    ['https://a.test/o/{id}.json', { id: 'a b' }, 'https://a.test/o/a%20b.json'],
    ['https://a.test/o/{a},{b}', { a: 1, b: 2 }, 'https://a.test/o/1,2'],
    ['https://a.test/o{/a,b}', { a: 1 }, 'https://a.test/o/1'],
    ['https://a.test{/a}{?q}', { q: 'x' }, 'https://a.test/?q=x'],
    ['https://a.test/o{?a,b}', { a: 'x y', b: 'é&=' }, 'https://a.test/o?a=x%20y&b=%C3%A9%26%3D'],
    ['https://a.test/o{?a,b}', {}, 'https://a.test/o'],
    ['https://a.test/o{?a,b}', { b: null, a: [] }, 'https://a.test/o'],
    ['https://a.test/o?x=1{&a,b}', { b: 2 }, 'https://a.test/o?x=1&b=2'],
    ['https://a.test/o?x={x}&y=2', { x: "it's & more" }, 'https://a.test/o?x=it%27s%20%26%20more&y=2'],
    ['https://a.test/o?x={x}', {}, 'https://a.test/o?x='],
    ['https://a.test/o{?t}', { t: ['a,b', 'c'] }, 'https://a.test/o?t=a%2Cb,c'],
    ['https://a.test/o{?t*}', { t: ['a', 'c'] }, 'https://a.test/o?t=a&t=c'],
    ['https://a.test/o{?t*}', { t: { k: 1, l: 'm' } }, 'https://a.test/o?k=1&l=m'],
    ['https://a.test/ü/{id}', { id: 'ß' }, 'https://a.test/%C3%BC/%C3%9F'],
    ['https://a.test/a%20b/{id}', { id: '\ud83c' }, 'https://a.test/a%20b/%EF%BF%BD'],
  ])('%s with %j is %s', (text, args, expected) => {
    expect(expand(text, args)).toBe(expected);
  });

  it('puts further pairs at the end of the query', () => {
    expect(expand('https://a.test/o', {}, ['k=1'])).toBe('https://a.test/o?k=1');
    expect(expand('https://a.test/o?x=1{&y}', { y: 2 }, ['k=1'])).toBe('https://a.test/o?x=1&y=2&k=1');
  });

  it.each([
    ['a/b', 'a%2Fb'],
    ['a\\b', 'a%5Cb'],
    ['a?x=1', 'a%3Fx%3D1'],
    ['a#b', 'a%23b'],
    ['@evil.test', '%40evil.test'],
    ['//evil.test', '%2F%2Fevil.test'],
    ['http://evil.test/', 'http%3A%2F%2Fevil.test%2F'],
    ['%2e%2e', '%252e%252e'],
    ['%2e%2e%2fadmin', '%252e%252e%252fadmin'],
    ['...', '...'],
    ['..a', '..a'],
    [';x=1', '%3Bx%3D1'],
    ['{id}', '%7Bid%7D'],
    ['：／', '%EF%BC%9A%EF%BC%8F'],
  ])('keeps %j one segment', (id, segment) => {
    const url = new URL(expand('https://a.test/v1/{id}/end', { id }));
    expect(url.origin).toBe('https://a.test');
    expect(url.pathname).toBe(`/v1/${segment}/end`);
    expect(url.search + url.hash).toBe('');
  });

  it.each(['', '.', '..', '../../admin', '..\\admin', 'a/../b', './x', 'a\u0000b', 'a\r\nb', null, undefined, []])(
    'refuses %j in the path',
    (id) => {
      expect(() => expand('https://a.test/v1/{id}/end', { id })).toThrow(ArgumentRefused);
    },
  );

  it('refuses dots that only together make a segment', () => {
    expect(() => expand('https://a.test/{a}{b}/x', { a: '.', b: '.' })).toThrow(ArgumentRefused);
    expect(() => expand('https://a.test/.{a}/x', { a: '.' })).toThrow(ArgumentRefused);
    expect(expand('https://a.test/f.{a}/x', { a: 'md' })).toBe('https://a.test/f.md/x');
  });

  it.each([
    '{scheme}://a.test/',
    'https://{host}/x',
    'https://a.test{x}/y',
    'https://a.{x}.test/',
    'https://a.test:{port}/',
    'ftp://a.test/',
    '/relative/{x}',
    'https://a.test/{+x}',
    'https://a.test/{#x}',
    'https://a.test/{.x}',
    'https://a.test/{;x}',
    'https://a.test/{x:3}',
    'https://a.test/{x*}',
    'https://a.test/{}',
    'https://a.test/{x y}',
    'https://a.test/{x',
    'https://a.test/x}',
    'https://a.test/{{secret.X}}',
    'https://a.test/x?a=1{?b}',
    'https://a.test/x{&b}',
    'https://a.test/x?a=1{/b}',
    'https://a.test/../x',
    'https://a.test/%2e%2E/{x}',
    'https://a.test/x#frag',
    'https://a.test/ x',
    'https://a.test\\x',
  ])('is refused when published: %s', (text) => {
    expect(faultsOf(text)).toHaveLength(1);
  });
});
