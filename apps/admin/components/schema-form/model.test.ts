import { describe, expect, it } from 'vitest';
import {
  addProperty,
  otherKeywords,
  parseEnum,
  propertiesOf,
  removeProperty,
  renameProperty,
  type Schema,
  setKeyword,
  setProperty,
  setRequired,
  setType,
  typeOf,
} from './model';

/** A schema full of what the form has no field for. */
const rich: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { money: { type: 'integer' } },
  properties: {
    id: { type: 'string', 'x-mcp-header': 'Order', examples: ['A-1'] },
    amount: { $ref: '#/$defs/money' },
    tags: { type: ['array', 'null'], items: { type: 'string' } },
  },
  required: ['id', 'amount'],
  dependentRequired: { tags: ['id'] },
  additionalProperties: false,
};

/** Everything but what an edit is about. */
const without = (schema: Schema, ...keywords: string[]) =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

describe('the schema form', () => {
  it('shows each property with its schema and whether it is required', () => {
    expect(propertiesOf(rich).map(({ name, required }) => [name, required])).toEqual([
      ['id', true],
      ['amount', true],
      ['tags', false],
    ]);
    expect(propertiesOf(rich).map(({ schema }) => typeOf(schema))).toEqual(['string', 'other', 'other']);
  });

  it('loses no keyword and no order when a property is edited', () => {
    const edited = setProperty(rich, 'id', setKeyword(propertiesOf(rich)[0]!.schema, 'description', 'Which order'));
    expect(without(edited, 'properties')).toEqual(without(rich, 'properties'));
    expect(Object.keys(edited)).toEqual(Object.keys(rich));
    expect(Object.keys(edited.properties as object)).toEqual(['id', 'amount', 'tags']);
    expect((edited.properties as Schema).id).toEqual({
      type: 'string',
      'x-mcp-header': 'Order',
      examples: ['A-1'],
      description: 'Which order',
    });
  });

  it('renames in place, in "required" too', () => {
    const renamed = renameProperty(rich, 'id', 'orderId');
    expect(Object.keys(renamed.properties as object)).toEqual(['orderId', 'amount', 'tags']);
    expect(renamed.required).toEqual(['orderId', 'amount']);
    expect(without(renamed, 'properties', 'required')).toEqual(without(rich, 'properties', 'required'));
  });

  it('renames to no name that is empty or taken', () => {
    expect(renameProperty(rich, 'id', 'tags')).toBe(rich);
    expect(renameProperty(rich, 'id', '')).toBe(rich);
  });

  it('removes a property and its requirement', () => {
    const removed = removeProperty(rich, 'amount');
    expect(Object.keys(removed.properties as object)).toEqual(['id', 'tags']);
    expect(removed.required).toEqual(['id']);
  });

  it('drops "required" with the last name in it', () => {
    const none = setRequired(setRequired(rich, 'id', false), 'amount', false);
    expect('required' in none).toBe(false);
  });

  it('adds a property under a free name', () => {
    const twice = addProperty(addProperty({ type: 'object' }));
    expect(Object.keys(twice.properties as object)).toEqual(['field', 'field2']);
  });

  it('changes a type and keeps what the old type had', () => {
    const changed = setType({ type: 'string', pattern: '^a', 'x-note': 1 }, 'integer');
    expect(changed).toEqual({ type: 'integer', pattern: '^a', 'x-note': 1 });
    expect(otherKeywords(changed)).toEqual(['pattern', 'x-note']);
  });

  it('survives properties and required of the wrong kind', () => {
    const broken: Schema = { type: 'object', properties: 'no', required: 'id' };
    expect(propertiesOf(broken)).toEqual([]);
    expect(addProperty(broken).properties).toEqual({ field: { type: 'string' } });
  });
});

describe('allowed values', () => {
  it('become numbers for number types, and stay text otherwise', () => {
    expect(parseEnum('1\n2.5\nx', 'number')).toEqual([1, 2.5, 'x']);
    expect(parseEnum('1\n2', 'string')).toEqual(['1', '2']);
    expect(parseEnum('\n', 'string')).toBeUndefined();
  });
});
