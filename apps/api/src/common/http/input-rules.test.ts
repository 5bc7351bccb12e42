import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { decodeCursor, encodeCursor, pageOf } from './cursor.js';
import { etagOf, requireMatch } from './etag.js';
import { HostCheck, hostName } from './host-check.js';
import { faultsOf, pointer, unstorableFaults } from './json-faults.js';
import { requestIdOf } from './request-id.js';

describe('JSON pointers', () => {
  it('escape what RFC 6901 says', () => {
    expect(pointer('a/b', 'm~n', 0, '')).toBe('/a~1b/m~0n/0/');
    expect(pointer()).toBe('');
  });

  it('lead to every fault, one entry each', () => {
    const schema = z.strictObject({ a: z.object({ b: z.number() }), c: z.string() });
    const { error } = schema.safeParse({ a: { b: 'x' }, d: 1, e: 2 });
    expect(faultsOf(error as z.ZodError)).toEqual([
      { path: '/a/b', message: 'expected number, received string' },
      { path: '/c', message: 'is required: expected string' },
      { path: '/d', message: 'is not a known field' },
      { path: '/e', message: 'is not a known field' },
    ]);
  });

  it('lead to keys that cannot be stored, and stop after a hundred', () => {
    expect(unstorableFaults({ 'a\0': 1 }, 64)).toHaveLength(1);
    expect(unstorableFaults(Array(500).fill('\0'), 64)).toHaveLength(100);
    expect(unstorableFaults({ ok: ['😀', null, 1, true] }, 64)).toEqual([]);
  });
});

describe('cursors', () => {
  const schema = z.tuple([z.string(), z.number()]);

  it('give back the position they were made of', () => {
    expect(decodeCursor(encodeCursor(['a', 1]), schema)).toEqual(['a', 1]);
    expect(decodeCursor(undefined, schema)).toBeUndefined();
  });

  it.each(['', '!!', encodeCursor(['a', 'b']), encodeCursor(null)])('refuse %j', (cursor) => {
    expect(() => decodeCursor(cursor, schema)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });

  it('are there exactly when there is more', () => {
    const page = (rows: number[]) => pageOf(rows, 2, String, (row) => row);
    expect(page([1, 2])).toEqual({ items: ['1', '2'] });
    expect(page([1, 2, 3])).toEqual({ items: ['1', '2'], nextCursor: encodeCursor(2) });
    expect(page([])).toEqual({ items: [] });
  });
});

describe('If-Match', () => {
  it('lets pass the tag of what is stored, one of a list, and *', () => {
    const tag = etagOf({ a: 1 });
    for (const header of [undefined, tag, `"x", ${tag}`, '*']) requireMatch(header, { a: 1 });
  });

  it.each(['"other"', '', 'W/"weak"'])('refuses %j', (header) => {
    expect(() => requireMatch(header, { a: 1 })).toThrow(expect.objectContaining({ code: 'conflict' }));
  });

  it('never matches what does not exist', () => {
    expect(() => requireMatch('*', undefined)).toThrow();
  });
});

describe('host names', () => {
  it('are read without port, case and the last dot', () => {
    expect(['A.Example:80', 'a.example.', '[::1]:4000', '127.0.0.1'].map(hostName)).toEqual([
      'a.example',
      'a.example',
      '::1',
      '127.0.0.1',
    ]);
    expect([undefined, '', 'a b', 'a@b', 'a:b:c', '[::1', 'a/b'].map(hostName)).toEqual(Array(7).fill(undefined));
  });

  it('are served when they are ours, or all when * is set', () => {
    expect(new HostCheck(['[::1]', 'Gantry.example']).allows('gantry.EXAMPLE:443')).toBe(true);
    expect(new HostCheck(['[::1]']).allows('[::1]:1')).toBe(true);
    expect(new HostCheck(['a.example']).allows('b.example')).toBe(false);
    expect(new HostCheck(['*']).allows('b.example')).toBe(true);
  });
});

describe('request ids', () => {
  it('are made when there are several or none', () => {
    expect(requestIdOf({ headers: {} })).not.toBe(requestIdOf({ headers: {} }));
    expect(requestIdOf({ headers: { 'x-request-id': ['a', 'b'] } })).toMatch(/^[0-9a-f-]{36}$/);
  });
});
