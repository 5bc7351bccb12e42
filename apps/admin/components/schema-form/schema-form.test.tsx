import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Schema } from './model';
import { SchemaForm } from './schema-form';

afterEach(cleanup);

let latest: Schema;
function Harness({ initial }: { initial: Schema }) {
  const [schema, setSchema] = useState(initial);
  latest = schema;
  return <SchemaForm label="Input" schema={schema} onChange={setSchema} />;
}

const initial: Schema = {
  type: 'object',
  properties: { id: { type: 'string', pattern: '^A', 'x-mine': true } },
  required: ['id'],
  additionalProperties: false,
};
const toJson = () => fireEvent.click(screen.getByRole('radio', { name: 'JSON' }));
const toForm = () => fireEvent.click(screen.getByRole('radio', { name: 'Form' }));
const area = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Input' });
const type = (text: string) => fireEvent.change(area(), { target: { value: text } });

describe('form and JSON of one schema', () => {
  it('shows in JSON what the form changed, with everything else still there', () => {
    render(<Harness initial={initial} />);
    fireEvent.change(screen.getByRole('textbox', { name: 'Name: id' }), { target: { value: 'order' } });
    fireEvent.change(screen.getByRole('textbox', { name: 'Description: order' }), { target: { value: 'Which one' } });
    toJson();
    expect(JSON.parse(area().value)).toEqual({
      ...initial,
      properties: { order: { type: 'string', pattern: '^A', 'x-mine': true, description: 'Which one' } },
      required: ['order'],
    });
  });

  it('shows in the form what the JSON changed', () => {
    render(<Harness initial={initial} />);
    toJson();
    type('{"type":"object","properties":{"n":{"type":"integer"}},"$defs":{}}');
    toForm();
    expect(screen.getByRole('textbox', { name: 'Name: n' })).toBeTruthy();
    expect(latest).toEqual({ type: 'object', properties: { n: { type: 'integer' } }, $defs: {} });
  });

  it('keeps an invalid draft on screen, says where it is wrong, and leaves the schema alone', () => {
    render(<Harness initial={initial} />);
    toJson();
    type('{"type": "object",}');
    expect(area().value).toBe('{"type": "object",}');
    expect(area().getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText(/Line 1, column 19/)).toBeTruthy();
    expect(latest).toEqual(initial);
    type('{"type": "object"}');
    expect(area().getAttribute('aria-invalid')).toBeNull();
    expect(latest).toEqual({ type: 'object' });
  });

  it('refuses a schema that is no object', () => {
    render(<Harness initial={initial} />);
    toJson();
    type('[]');
    expect(screen.getByText('The schema must be a JSON object')).toBeTruthy();
    expect(latest).toEqual(initial);
  });
});
