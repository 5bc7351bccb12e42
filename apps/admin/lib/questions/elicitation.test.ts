import { describe, expect, it } from 'vitest';
import { elicitContent, elicitFaults, elicitFields, initialValues } from './elicitation';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Full name', minLength: 2, maxLength: 4 },
    mail: { type: 'string', format: 'email' },
    site: { type: 'string', format: 'uri' },
    day: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    age: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
    rate: { type: 'number' },
    loud: { type: 'boolean', default: false },
    plain: { type: 'string', enum: ['s', 'm'], default: 'm' },
    named: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'] },
    titled: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }] },
    many: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2, default: ['a'] },
    manyTitled: { type: 'array', items: { anyOf: [{ const: 'x', title: 'Ex' }] } },
  },
  required: ['name', 'many'],
};
const fields = elicitFields(schema);
const reasons = (values: Parameters<typeof elicitFaults>[1]) =>
  Object.fromEntries(Object.entries(elicitFaults(fields, values)).map(([name, fault]) => [name, fault.reason]));

describe('a form a server asks for', () => {
  it('reads every kind of field the revisions know', () => {
    expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['name', 'text'],
      ['mail', 'text'],
      ['site', 'text'],
      ['day', 'text'],
      ['at', 'text'],
      ['age', 'number'],
      ['rate', 'number'],
      ['loud', 'boolean'],
      ['plain', 'choice'],
      ['named', 'choice'],
      ['titled', 'choice'],
      ['many', 'choices'],
      ['manyTitled', 'choices'],
    ]);
    expect(fields[0]).toMatchObject({ title: 'Full name', required: true });
    expect(fields[9]).toMatchObject({
      choices: [
        { value: 's', title: 'Small' },
        { value: 'm', title: 'Medium' },
      ],
    });
    expect(fields[10]).toMatchObject({ choices: [{ value: 'r', title: 'Red' }] });
    expect(fields[12]).toMatchObject({ choices: [{ value: 'x', title: 'Ex' }] });
  });

  it('opens with the defaults and makes up nothing else', () => {
    expect(elicitContent(fields, initialValues(fields))).toEqual({ age: 3, loud: false, plain: 'm', many: ['a'] });
  });

  it('sends each value as its type and leaves empty fields out', () => {
    expect(elicitContent(fields, { name: 'Ada', age: '4', rate: '0.5', loud: true, mail: '', many: ['b'] })).toEqual({
      name: 'Ada',
      age: 4,
      rate: 0.5,
      loud: true,
      many: ['b'],
    });
  });

  it('says what stands against each field', () => {
    expect(
      reasons({ name: '', mail: 'a', site: 'x', day: '2026-02-30', at: '2026-02-01', age: '1.5', rate: 'x', many: [] }),
    ).toEqual({
      name: 'required',
      mail: 'email',
      site: 'uri',
      day: 'date',
      at: 'date-time',
      age: 'not-whole',
      rate: 'not-a-number',
      many: 'required',
    });
    expect(reasons({ name: 'A', age: '0', many: ['a', 'b', 'c'] })).toEqual({
      name: 'shortest',
      age: 'least',
      many: 'too-many',
    });
    expect(reasons({ name: 'Agnes', age: '10', many: ['a'] })).toEqual({ name: 'longest', age: 'most' });
  });

  it('counts code points, and takes what is right', () => {
    expect(
      reasons({
        name: '😀😀😀😀',
        mail: 'a@b.org',
        site: 'https://a.org',
        day: '2026-02-28',
        at: '2026-02-28T10:00:00+01:00',
        many: ['a'],
      }),
    ).toEqual({});
  });
});
