import type { UseQueryResult } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Walked } from '@/lib/api/query';
import { ListPanel } from './list-panel';

afterEach(cleanup);

const words = {
  searchLabel: 'Search things',
  empty: 'No thing yet',
  emptyText: 'A thing is a thing.',
  emptyExample: 'For example this one.',
  readOnly: 'You may only look.',
};

function show(items: string[], options: { search?: string; create?: string; cut?: boolean } = {}) {
  const onClear = vi.fn();
  const data: Walked<string> = { items, cut: options.cut ?? false };
  render(
    <ListPanel
      words={words}
      query={{ data, isError: false } as UseQueryResult<Walked<string>>}
      create={options.create}
      search={options.search ?? ''}
      onSearch={vi.fn()}
      visible={(all) => all.filter((item) => item.includes(options.search ?? ''))}
      filters={['Code']}
      onClear={onClear}
      counted={['thing', 'things']}
    >
      {(rows) => <p>rows: {rows.join(',')}</p>}
    </ListPanel>,
  );
  return onClear;
}

describe('a list', () => {
  it('invites who may create, and tells who may not', () => {
    show([], { create: 'New thing' });
    expect(screen.getByText('New thing')).toBeTruthy();
    expect(screen.getByText('For example this one.')).toBeTruthy();
    cleanup();
    show([]);
    expect(screen.getByText('You may only look.')).toBeTruthy();
    expect(screen.queryByText('For example this one.')).toBeNull();
  });

  it('counts what search and filters leave, and says when the list was cut', () => {
    show(['ab', 'b', 'c'], { search: 'b', cut: true });
    expect(screen.getByText('rows: ab,b')).toBeTruthy();
    expect(screen.getByText('2 of 3 things')).toBeTruthy();
    expect(screen.getByText(/Showing the first 3/)).toBeTruthy();
  });

  it('counts one thing as one', () => {
    show(['a']);
    expect(screen.getByText('1 thing')).toBeTruthy();
  });

  it('names the filters that hide everything, and clears them', () => {
    const onClear = show(['a'], { search: 'x' });
    expect(screen.getByText(/“x”, Code/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(onClear).toHaveBeenCalledOnce();
  });
});
