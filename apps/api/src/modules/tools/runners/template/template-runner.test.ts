import { describe, expect, it } from 'vitest';
import { TemplateRunner } from './template-runner.js';

const runner = new TemplateRunner();

function run(spec: Parameters<TemplateRunner['compile']>[0], args: Record<string, unknown> = {}) {
  const compiled = runner.compile(spec);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.faults));
  return runner.run(compiled.plan, { arguments: args });
}

const text = (template: string, args: Record<string, unknown> = {}) =>
  (run({ text: template }, args).content[0] as { text: string }).text;

const faults = (spec: Parameters<TemplateRunner['compile']>[0]) => {
  const compiled = runner.compile(spec);
  return compiled.ok ? [] : compiled.faults;
};

describe('a text template', () => {
  it('answers at once, without a promise', () => {
    expect(run({ text: 'Rules of {team}: none' }, { team: 'Red' })).toEqual({
      content: [{ type: 'text', text: 'Rules of Red: none' }],
    });
  });

  it.each([
    ['{a}', { a: 'x{b}y', b: 'no' }, 'x{b}y'],
    ['{a}{b}', { a: 1, b: true }, '1true'],
    ['[{a}]', {}, '[]'],
    ['[{a}]', { a: null }, '[]'],
    ['{a}', { a: { k: [1, 'é'] } }, '{"k":[1,"é"]}'],
    ['{constructor}{__proto__}{toString}', {}, ''],
    ['{größe} {order-id} {a.b}', { größe: 'L', 'order-id': 7, 'a.b': 'c' }, 'L 7 c'],
    ['{{a}} is {a}', { a: 1 }, '{a} is 1'],
    ['{"a": {"b": 1}} {} {{}} { a } {4} \\d{2,3}', { a: 1 }, '{"a": {"b": 1}} {} {{}} { a } {4} \\d{2,3}'],
    ['$& {a}', { a: '$1 $&' }, '$& $1 $&'],
  ])('%j filled with %j reads %j', (template, args, expected) => {
    expect(text(template, args)).toBe(expected);
  });

  it('gives the same object every time when it has no slot', () => {
    const compiled = runner.compile({ text: 'fixed {{x}}' });
    if (!compiled.ok) throw new Error('must compile');
    const first = runner.run(compiled.plan, { arguments: {} });
    expect(first).toEqual({ content: [{ type: 'text', text: 'fixed {x}' }] });
    expect(runner.run(compiled.plan, { arguments: { x: 1 } })).toBe(first);
  });

  it('never takes a secret', () => {
    expect(faults({ text: 'k {{secret.TOKEN}}' })).toEqual([
      { path: '/text', message: expect.stringContaining('secret') },
    ]);
    expect(text('{a}', { a: '{{secret.TOKEN}}' })).toBe('{{secret.TOKEN}}');
  });
});

describe('a content template', () => {
  it('fills every string and leaves the rest as it is', () => {
    const content = [
      { type: 'text', text: 'Hi {who}', annotations: { priority: 0.5 } },
      { type: 'resource_link', uri: 'orders://{id}', name: 'Order {id}', size: 3 },
      { type: 'resource', resource: { uri: 'a://{id}', text: '{who}' } },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ];
    expect(run({ content }, { who: 'Ada', id: 7 }).content).toEqual([
      { type: 'text', text: 'Hi Ada', annotations: { priority: 0.5 } },
      { type: 'resource_link', uri: 'orders://7', name: 'Order 7', size: 3 },
      { type: 'resource', resource: { uri: 'a://7', text: 'Ada' } },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ]);
    expect(content[0]).toMatchObject({ text: 'Hi {who}' });
  });

  it('that is no valid content names each fault and its place', () => {
    const at = faults({
      content: [
        { type: 'txt' },
        { type: 'text' },
        { type: 'text', text: 3, colour: 'red' },
        { type: 'image', data: 'not base64!', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'a://b' } },
        { type: 'resource', resource: { uri: 'a://b', text: '', blob: '' } },
        { type: '{kind}', text: '' },
        { type: 'text', text: '{{secret.A}}' },
      ],
    }).map((fault) => fault.path);
    expect(at).toEqual([
      '/content/0/type',
      '/content/1/text',
      '/content/2/colour',
      '/content/2/text',
      '/content/3/data',
      '/content/4/resource',
      '/content/5/resource',
      '/content/6/type',
      '/content/7/text',
    ]);
  });

  it('and a text at once, or neither, are a fault', () => {
    expect(faults({})).toHaveLength(1);
    expect(faults({ text: '', content: [] })).toHaveLength(1);
    expect(faults({ text: '' })).toHaveLength(0);
  });
});
