import { describe, expect, it } from 'vitest';
import { indentJson, parseJson, sameJson } from './json';

function fault(text: string) {
  const parsed = parseJson(text);
  if (parsed.ok) throw new Error('expected a fault');
  return parsed.fault;
}

describe('parseJson', () => {
  it('gives the value of valid text', () => {
    expect(parseJson('{"a": [1, null, "x\\n"]}')).toEqual({ ok: true, value: { a: [1, null, 'x\n'] } });
  });

  it.each([
    ['{\n  "a": 1,\n}', 3, 1, 'a name in double quotes'],
    ['{"a" 1}', 1, 6, '“:”'],
    ['[1 2]', 1, 4, '“,”'],
    ['{\n  a: 1}', 2, 3, 'unexpected a'],
    ['{"a": "open', 1, 7, 'unfinished text'],
    ['{"a": 1', 1, 8, 'ends early'],
    ['[1]]', 1, 4, '“,” or the end'],
    ['', 1, 1, 'ends early'],
    ['[01]', 1, 3, '“,”'],
  ])('places the fault of %j', (text, line, column, what) => {
    const found = fault(text);
    expect([found.line, found.column]).toEqual([line, column]);
    expect(found.what).toContain(what);
  });
});

describe('sameJson', () => {
  it('does not care for the order of members, but for that of items', () => {
    expect(sameJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
    expect(sameJson([1, 2], [2, 1])).toBe(false);
  });

  it('tells a missing member from an undefined one', () => {
    expect(sameJson({ a: undefined }, { b: undefined })).toBe(false);
  });
});

describe('indentJson', () => {
  it('breaks objects and lists into lines', () => {
    expect(indentJson('{"a": [1, "x: \\"y\\""]}')).toBe('{\n  "a": [\n    1,\n    "x: \\"y\\""\n  ]\n}');
  });

  it.each(['{"id":9007199254740993}', '{"a":1,"a":2}', '{"a":1.0}', '{"a":', 'null', 'plain words', '"{}"'])(
    'leaves %s as it is',
    (text) => expect(indentJson(text)).toBe(text),
  );
});
