import { describe, expect, it } from 'vitest';
import { REVISIONS } from './revisions.js';

const page = { mode: 'url', message: 'm', url: 'https://example.com/', elicitationId: 'e' };
const codeIn = (name: string, code: number, data?: unknown) =>
  REVISIONS.find((revision) => revision.name === name)?.carriedError({ code, message: 'm', data }).code;

describe('error codes by revision', () => {
  it('2026-07-28 has neither -32002 nor -32042 (wire C25)', () => {
    expect(codeIn('2026-07-28', -32002)).toBe(-32602);
    expect(codeIn('2026-07-28', -32042, { elicitations: [page] })).toBe(-32603);
  });

  it('2025-11-25 has -32042 for pages that have an id, and for nothing else (wire B32)', () => {
    expect(codeIn('2025-11-25', -32042, { elicitations: [page, page] })).toBe(-32042);
    const { elicitationId: _, ...anonymous } = page;
    const others = [{ ...page, mode: 'form' }, anonymous, null, 'x'];
    for (const other of others) expect(codeIn('2025-11-25', -32042, { elicitations: [page, other] })).toBe(-32603);
    for (const data of [undefined, null, {}, { elicitations: [] }, { elicitations: page }]) {
      expect(codeIn('2025-11-25', -32042, data)).toBe(-32603);
    }
  });

  it.each(['2025-03-26', '2025-06-18'])('%s has no -32042', (name) => {
    expect(codeIn(name, -32042, { elicitations: [page] })).toBe(-32603);
    expect(codeIn(name, -32002)).toBe(-32002);
  });

  it.each(REVISIONS.map(({ name }) => name))('%s leaves other codes, words and data alone', (name) => {
    const error = { code: 4711, message: 'mine', data: { x: 1 } };
    expect(REVISIONS.find((revision) => revision.name === name)?.carriedError(error)).toBe(error);
  });
});
