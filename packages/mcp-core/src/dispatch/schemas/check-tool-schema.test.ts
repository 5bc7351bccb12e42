import { describe, expect, it } from 'vitest';
import { checkOutputSchema, checkToolSchema, normaliseInputSchema } from './check-tool-schema.js';
import { findFault } from './validators.js';

const paths = (schema: unknown) => checkToolSchema(schema).map(({ path }) => path);
const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });

describe('checkToolSchema', () => {
  it('finds nothing wrong with sound schemas of both dialects', () => {
    const sound = [
      { type: 'object' },
      object({ a: { type: 'string', pattern: '^[a-z]+\\d{2}$', format: 'email' } }, { required: ['a'] }),
      object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: { type: 'integer' } } }),
      object({ a: { $ref: '#b' } }, { $defs: { a: { $anchor: 'b', type: 'integer' } } }),
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        definitions: { a: {} },
        properties: { p: { items: [{}, {}], additionalItems: false } },
      },
      { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', unevaluatedProperties: false },
      object({ pattern: { type: 'string' }, $ref: { type: 'string' } }),
      object({
        a: { const: { pattern: '(?=x)', $ref: 'https://example.com' }, default: { $ref: 'https://example.com' } },
      }),
      object({ default: { type: 'string', pattern: 'x' } }),
      object({ kids: { type: 'array', items: { $ref: '#' } } }),
      object({ 'x-other': { type: 'string', 'x-vendor': { any: 'thing' } } }),
    ];
    for (const schema of sound) expect([schema, checkToolSchema(schema)]).toEqual([schema, []]);
  });

  it('refuses roots that are no object (SCH-01)', () => {
    expect(checkToolSchema('x')).toEqual([{ path: '', message: 'must be a JSON object' }]);
    expect(paths({ type: 'string' })).toEqual(['/type']);
    expect(paths({ type: ['object', 'null'] })).toEqual(['/type']);
    expect(paths({})).toEqual(['/type']);
  });

  it('refuses dialects it does not know (SCH-05)', () => {
    for (const $schema of ['http://json-schema.org/draft-04/schema#', 'https://example.com/mine', 7]) {
      expect(paths({ $schema, type: 'object' })).toEqual(['/$schema']);
    }
  });

  it('refuses references that lead outside or nowhere (wire C27, wire S6, SCH-03)', () => {
    expect(paths(object({ a: { $ref: 'https://example.com/a.json' } }))).toEqual(['/properties/a/$ref']);
    expect(paths(object({ a: { $ref: '//example.com/a.json' } }))).toEqual(['/properties/a/$ref']);
    expect(paths(object({ a: { $ref: 'other.json' } }))).toEqual(['']);
    expect(paths(object({ a: { $ref: '#/$defs/none' } }))).toEqual(['']);
  });

  it('refuses patterns that cannot run in linear time, each at its place', () => {
    const schema = object(
      { a: { pattern: '(?=x)y' }, b: { pattern: '(a)\\1' } },
      { patternProperties: { '(?<!x)y': {} } },
    );
    expect(paths(schema)).toEqual(['/properties/a/pattern', '/properties/b/pattern', '/patternProperties/(?<!x)y']);
  });

  it('refuses what the dialect itself does not allow', () => {
    expect(paths(object({ a: { type: 'text' } }))).toContain('/properties/a/type');
    expect(paths({ type: 'object', required: 'a' })).toContain('/required');
  });

  it('refuses schemas that are too deep or too large', () => {
    let deep: object = { type: 'string' };
    for (let level = 0; level < 70; level++) deep = { not: deep };
    expect(checkToolSchema(object({ deep }))[0]?.message).toContain('nested deeper');
    expect(
      checkToolSchema(object({ many: { enum: Array.from({ length: 20_001 }, (_, at) => at) } }))[0]?.message,
    ).toContain('more than');
  });

  it('refuses bad x-mcp-header annotations, each at its place (MOD-12)', () => {
    const bad: Array<[object, string]> = [
      [object({ a: { type: 'string', 'x-mcp-header': '' } }), '/properties/a/x-mcp-header'],
      [object({ a: { type: 'string', 'x-mcp-header': 'A\r\nB' } }), '/properties/a/x-mcp-header'],
      [object({ a: { type: 'string', 'x-mcp-header': 'A B' } }), '/properties/a/x-mcp-header'],
      [object({ a: { type: 'string', 'x-mcp-header': 5 } }), '/properties/a/x-mcp-header'],
      [
        object({ a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } }),
        '/properties/b/x-mcp-header',
      ],
      [object({ a: { type: 'number', 'x-mcp-header': 'A' } }), '/properties/a/x-mcp-header'],
      [object({ a: { type: ['string', 'null'], 'x-mcp-header': 'A' } }), '/properties/a/x-mcp-header'],
      [
        object({ a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } }),
        '/properties/a/items/x-mcp-header',
      ],
      [
        object({}, { anyOf: [object({ a: { type: 'string', 'x-mcp-header': 'A' } })] }),
        '/anyOf/0/properties/a/x-mcp-header',
      ],
      [object({}, { $defs: { a: { type: 'string', 'x-mcp-header': 'A' } } }), '/$defs/a/x-mcp-header'],
      [{ type: 'object', 'x-mcp-header': 'A' }, '/x-mcp-header'],
    ];
    for (const [schema, path] of bad) expect([schema, paths(schema)]).toEqual([schema, [path]]);
  });

  it('takes any root for an output schema', () => {
    expect(checkOutputSchema({ type: 'array', items: { type: 'string' } })).toEqual([]);
    expect(checkOutputSchema({})).toEqual([]);
    expect(checkOutputSchema([])).toHaveLength(1);
  });
});

describe('normaliseInputSchema', () => {
  it('says that the root is an object where nothing was said, and keeps the rest (SCH-02, SCH-06)', () => {
    expect(normaliseInputSchema({})).toEqual({ type: 'object', properties: {} });
    expect(normaliseInputSchema({ properties: { a: {} } })).toEqual({ type: 'object', properties: { a: {} } });
    expect(normaliseInputSchema({ anyOf: [{ required: ['a'] }] })).toEqual({
      type: 'object',
      anyOf: [{ required: ['a'] }],
    });
    expect(normaliseInputSchema({ type: 'string' })).toEqual({ type: 'string' });
    const given = { type: 'object', additionalProperties: false };
    expect(normaliseInputSchema(given)).toEqual(given);
  });
});

describe('findFault', () => {
  it('names the field and what was expected of it (SCH-12)', () => {
    const schema = object(
      {
        n: { type: 'integer' },
        s: { type: 'string' },
        o: object({ in: { enum: ['a', 'b'] } }),
      },
      { required: ['n'], additionalProperties: false },
    );
    const faults: Array<[unknown, string]> = [
      [{ n: '5' }, 'n: must be integer'],
      [{}, 'n: is required'],
      [{ n: 1, s: true }, 's: must be string'],
      [{ n: 1, o: '{}' }, 'o: must be object'],
      [{ n: 1, o: { in: 'c' } }, 'o.in: must be one of ["a","b"]'],
      [{ n: 1, x: 1 }, 'x: is not a known property'],
      [[], 'arguments: must be object'],
    ];
    for (const [value, words] of faults) expect(findFault(schema, value, 'arguments')).toBe(words);
    expect(findFault(schema, { n: 1, s: '{"a":1}', o: { in: 'a' } }, 'arguments')).toBeUndefined();
  });

  it('judges each schema by its own dialect (SCH-05)', () => {
    const tuple = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'array',
      items: [{ type: 'string' }, { type: 'integer' }],
      additionalItems: false,
    };
    expect(findFault(tuple, ['a', 1], 'v')).toBeUndefined();
    expect(findFault(tuple, ['a', 1, 2], 'v')).toBeDefined();
    expect(findFault(tuple, [1, 'a'], 'v')).toBeDefined();
  });

  it('runs a hostile pattern in linear time and keeps patterns apart', () => {
    const hostile = object({ a: { type: 'string', pattern: '^(a+)+$' }, b: { type: 'string', pattern: '^b+$' } });
    expect(findFault(hostile, { a: `${'a'.repeat(50_000)}!` }, 'arguments')).toContain('a: must match pattern');
    expect(findFault(hostile, { a: 'aaa', b: 'bbb' }, 'arguments')).toBeUndefined();
    expect(findFault(hostile, { a: 'aaa', b: 'aaa' }, 'arguments')).toContain('b: must match pattern');
  });

  it('gives up on alternatives that would take for ever, and says so', () => {
    const both = { anyOf: [{ $ref: '#/$defs/n' }, { $ref: '#/$defs/n' }] };
    const schema = object(
      { root: both },
      { $defs: { n: { type: 'object', properties: { c: both }, required: ['c'] } } },
    );
    let value: object = { c: 1 };
    for (let depth = 0; depth < 28; depth++) value = { c: value };
    expect(findFault(schema, { root: value }, 'arguments')).toBe('arguments: cannot be checked in 100000 steps');
    expect(findFault(schema, { root: { c: 1 } }, 'arguments')).toContain('root');
    let chain: object = {};
    let sum: object = { type: 'integer' };
    for (let level = 0; level < 28; level++) {
      chain = { ...chain, [`d${level}`]: sum };
      sum = { allOf: [{ $ref: `#/$defs/d${level}` }, { $ref: `#/$defs/d${level}` }] };
    }
    expect(findFault({ type: 'object', properties: { a: sum }, $defs: chain }, { a: 1 }, 'arguments')).toContain(
      'cannot be checked',
    );
  });

  it('judges references below the limit as ever', () => {
    const tree = {
      type: 'object',
      properties: { v: { type: 'integer' }, kids: { type: 'array', items: { $ref: '#' } } },
      required: ['v'],
    };
    expect(findFault(tree, { v: 1, kids: [{ v: 2, kids: [{ v: 3 }] }] }, 'arguments')).toBeUndefined();
    expect(findFault(tree, { v: 1, kids: [{ v: 2, kids: [{ v: 'x' }] }] }, 'arguments')).toBe(
      'kids.0.kids.0.v: must be integer',
    );
    const older = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { n: { type: 'integer' } },
      properties: { a: { $ref: '#/definitions/n' } },
    };
    expect(findFault(older, { a: 'x' }, 'arguments')).toBe('a: must be integer');
  });

  it('finds duplicate items in linear time, whatever the order of their members', () => {
    const unique = object({ a: { type: 'array', uniqueItems: true } });
    const many = Array.from({ length: 100_000 }, (_, at) => ({ at }));
    expect(findFault(unique, { a: many }, 'arguments')).toBeUndefined();
    expect(findFault(unique, { a: [...many, { at: 5 }] }, 'arguments')).toContain('a: must NOT have duplicate items');
    expect(
      findFault(
        unique,
        {
          a: [
            { x: 1, y: 2 },
            { y: 2, x: 1 },
          ],
        },
        'arguments',
      ),
    ).toContain('duplicate');
    expect(findFault(unique, { a: [1, '1', true, null, [1], { a: 1 }] }, 'arguments')).toBeUndefined();
  });

  it('checks formats, and does not mix up schemas that carry the same $id', () => {
    const one = { $id: 'https://example.com/x', type: 'string', format: 'email' };
    const two = { $id: 'https://example.com/x', type: 'integer' };
    expect(findFault(one, 'nobody', 'v')).toContain('format');
    expect(findFault(two, 5, 'v')).toBeUndefined();
    expect(findFault(one, 'a@example.com', 'v')).toBeUndefined();
  });

  it('refuses a schema that cannot be compiled, in words', () => {
    expect(() => findFault({ $schema: 'urn:mine' }, {}, 'v')).toThrow('unsupported JSON Schema dialect: urn:mine');
  });
});
