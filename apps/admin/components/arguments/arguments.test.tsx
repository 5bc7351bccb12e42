import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { ArgumentsForm } from './arguments-form';
import { defaultArguments, readNumber } from './arguments-model';

afterEach(cleanup);

const schema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    count: { type: 'integer', default: 3 },
    loud: { type: 'boolean' },
    size: { enum: ['s', 'm'] },
    address: { type: 'object', properties: { city: { type: 'string' } } },
    tags: { type: 'array', items: { type: 'string' } },
    any: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  required: ['id'],
};

let latest: Record<string, unknown>;
function Harness({ errors = [] }: { errors?: { path: string; message: string }[] }) {
  const [value, setValue] = useState<Record<string, unknown>>(() => defaultArguments(schema));
  latest = value;
  return <ArgumentsForm schema={schema} value={value} onChange={setValue} errors={errors} pointer="/arguments" />;
}
const fill = (name: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } });

describe('the form of a tool’s arguments', () => {
  it('starts with the defaults of the schema and makes up nothing else', () => {
    render(<Harness />);
    expect(latest).toEqual({ count: 3 });
  });

  it('sends each kind of value as its type, and an emptied field not at all', () => {
    render(<Harness />);
    fill(/^id/, 'A-1');
    fill(/^count/, '12');
    fill(/^loud/, '1');
    fill(/^size/, '1');
    fill(/^city/, 'Oslo');
    fill(/^any/, 'null');
    fireEvent.click(screen.getByRole('button', { name: 'Add item' }));
    fill(/^0/, 'x');
    expect(latest).toEqual({
      id: 'A-1',
      count: 12,
      loud: false,
      size: 'm',
      address: { city: 'Oslo' },
      any: null,
      tags: ['x'],
    });
    fill(/^id/, '');
    fill(/^count/, '');
    expect('id' in latest).toBe(false);
    expect('count' in latest).toBe(false);
  });

  it('shows what the API said at the field it is about', () => {
    render(<Harness errors={[{ path: '/arguments/address/city', message: 'must be a capital' }]} />);
    expect(screen.getByLabelText(/^city/).getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('must be a capital')).toBeTruthy();
  });

  it('refuses a number it would have to change', () => {
    render(<Harness />);
    fill(/^count/, '9007199254740993');
    expect('count' in latest).toBe(false);
    expect(screen.getByText(/Too big to be exact/)).toBeTruthy();
  });
});

describe('readNumber', () => {
  it.each([
    ['0', 0],
    ['-1.5', -1.5],
    ['.5', 0.5],
    ['1e3', 1000],
  ])('reads %s', (text, value) => {
    expect(readNumber(text)).toEqual({ ok: true, value });
  });

  it.each(['', 'x', '1,5', '0x10', 'Infinity', '--1'])('takes %j for no number', (text) => {
    expect(readNumber(text)).toEqual({ ok: false, reason: 'not-a-number' });
  });
});
