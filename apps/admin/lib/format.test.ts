import { describe, expect, it } from 'vitest';
import { formatAgo, formatBytes, formatDuration, formatSpan, proposeSlug } from './format';

describe('proposeSlug', () => {
  it.each([
    ['Orders', 'orders'],
    ['  Café  Größe & Co. ', 'cafe-gro-e-co'],
    ['--', ''],
    ['a'.repeat(80), 'a'.repeat(63)],
    [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
  ])('makes a slug of %j', (name, slug) => {
    expect(proposeSlug(name)).toBe(slug);
  });
});

describe('times and sizes', () => {
  it('are told with units', () => {
    expect([formatDuration(0.4), formatDuration(41.6), formatDuration(1500), formatDuration(61_000)]).toEqual([
      '<1 ms',
      '42 ms',
      '1.50 s',
      '1 min 1 s',
    ]);
    expect([formatBytes(512), formatBytes(2048), formatBytes(3 * 1_048_576)]).toEqual(['512 B', '2.0 KiB', '3.0 MiB']);
  });

  it('tell a long time in its two largest units', () => {
    expect([0, 999, 61_000, 3_600_000, 90_061_000, -5].map(formatSpan)).toEqual([
      '0 s',
      '0 s',
      '1 min 1 s',
      '1 h',
      '1 d 1 h',
      '0 s',
    ]);
  });

  it('tell how long ago, and how soon', () => {
    const now = Date.parse('2026-01-10T00:00:00Z');
    expect(formatAgo('2026-01-09T23:59:55Z', now)).toBe('just now');
    expect(formatAgo('2026-01-09T23:58:00Z', now)).toBe('2 min. ago');
    expect(formatAgo('2026-01-13T00:00:00Z', now)).toBe('in 3 days');
  });
});
