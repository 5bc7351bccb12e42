import { describe, expect, it } from 'vitest';
import { SchemaChecker } from './check/schema-checker.js';
import { judgeDocument, judgeItem } from './document-check.js';
import { itemKinds } from './item-kinds.js';

const schema = { type: 'object', properties: { id: { type: 'string' } } };
const template = { text: 'Hi {id}' };
const described = { description: 'Does something.' };
const judgeTool = (tool: object) => judgeItem(itemKinds.tools, tool);
const warningsOf = (tool: object) => judgeTool(tool).warnings;

describe('judgeDocument', () => {
  it('lists every fault in one pass, each with its place', () => {
    const { value, faults } = judgeDocument({
      name: '',
      bogus: true,
      'a/b~c': 1,
      tools: [
        { name: 'bad name', ...described, inputSchema: schema, template },
        { name: 'two', ...described, inputSchema: schema, template, code: { source: 'x' } },
        { name: 'two', ...described, inputSchema: { type: 'array' }, template },
        { name: 'none', ...described, inputSchema: schema },
        { name: 'job', ...described, inputSchema: schema, template, stateful: true, execution: 'job' },
      ],
    });
    expect(value).toBeUndefined();
    expect(faults.map(({ path }) => path).sort()).toEqual([
      '/a~1b~0c',
      '/bogus',
      '/name',
      '/tools/0/name',
      '/tools/1',
      '/tools/2/inputSchema/type',
      '/tools/2/name',
      '/tools/3',
      '/tools/4/stateful',
    ]);
    expect(faults).toContainEqual({ path: '/bogus', message: 'is not a known field' });
    expect(faults).toContainEqual({ path: '/tools/2/name', message: '"two" is the name of tool 1 already' });
  });

  it.each([undefined, null, 7, 'text', []])('refuses %j as a document', (raw) => {
    expect(judgeDocument(raw).faults).toHaveLength(1);
  });

  it('completes a document and keeps the order of what was sent', () => {
    const { value, faults } = judgeDocument({
      name: 'x',
      tools: [{ name: 't', ...described, inputSchema: { properties: { z: {}, a: {} } }, template: { text: '' } }],
    });
    expect(faults).toEqual([]);
    expect(value).toMatchObject({ version: '1.0.0', access: 'key', autoPublish: true, settings: {} });
    expect(JSON.stringify(value?.tools[0]?.inputSchema)).toBe('{"type":"object","properties":{"z":{},"a":{}}}');
  });

  it('refuses what cannot be stored: NUL, halves of surrogate pairs, endless depth', () => {
    expect(judgeDocument({ name: 'a\0b' }).faults).toEqual([
      { path: '/name', message: 'must not contain the NUL character' },
    ]);
    expect(judgeDocument({ name: '\ud800' }).faults).toEqual([
      { path: '/name', message: 'must be well-formed Unicode' },
    ]);
    let deep: unknown = 1;
    for (let level = 0; level < 5_000; level += 1) deep = { a: deep };
    expect(judgeDocument({ name: 'x', deep }).faults[0]?.message).toContain('nested deeper than 64');
  });
});

describe('judgeTool', () => {
  it('warns of a missing description and of arrays without items (SCH-09)', () => {
    const warnings = warningsOf({
      name: 't',
      inputSchema: { type: 'object', properties: { list: { type: 'array' } } },
      template: { text: '' },
    });
    expect(warnings.map(({ path }) => path)).toEqual(['', '/inputSchema/properties/list']);
  });

  it.each([
    ['get_order-1', []],
    ['x'.repeat(64), []],
    ['a.b', ['/name']],
    ['x'.repeat(65), ['/name']],
  ])('takes the name %s, with a warning where some clients refuse it (NAM-03)', (name, warned) => {
    const { faults, warnings } = judgeTool({ name, ...described, inputSchema: schema, template });
    expect([faults, warnings.map(({ path }) => path)]).toEqual([[], warned]);
  });

  it.each(['a/b', 'a b', '', 'x'.repeat(129), 'ä'])('refuses the name "%s" (NAM-03)', (name) => {
    const { faults, warnings } = judgeTool({ name, ...described, inputSchema: schema, template });
    expect([faults.map(({ path }) => path), warnings]).toEqual([['/name'], []]);
  });

  it('hands on a runner of sound shape with its place, and none of unsound shape', () => {
    const tool = (more: object) => judgeTool({ name: 't', ...described, inputSchema: schema, http: more });
    expect(tool({ url: 'https://e.com/{id}' }).runners).toEqual([
      { path: ['http'], runner: { http: { method: 'GET', url: 'https://e.com/{id}' } }, inputSchema: schema },
    ]);
    expect(tool({ url: 7 }).runners).toEqual([]);
  });
});

describe('SchemaChecker', () => {
  const bad = {
    path: ['tools', 0, 'inputSchema'],
    role: 'input' as const,
    schema: { type: 'object', properties: { a: { type: 'nonsense' } } },
  };
  const good = { path: ['tools', 1, 'inputSchema'], role: 'input' as const, schema: { type: 'object' } };

  it('tells the same faults on the main loop and in the worker', async () => {
    const here = await new SchemaChecker().check([bad, good]);
    const there = await new SchemaChecker(20_000, 0).check([bad, good]);
    expect(here[0]?.path).toMatch(/^\/tools\/0\/inputSchema\/properties\/a/);
    expect(there).toEqual(here);
  });

  it('gives up at the deadline, and says so', async () => {
    const faults = await new SchemaChecker(1, 0).check([bad]);
    expect(faults).toEqual([{ path: '/tools', message: expect.stringContaining('longer than 1 ms') }]);
  });
});
