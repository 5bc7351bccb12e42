import { describe, expect, it } from 'vitest';
import { EventTooLong, eventReader, type StreamEvent, type StreamKind } from './event-reader.js';

/** Reads text in chunks of so many bytes. */
function read(kind: StreamKind, text: string, chunk = Number.POSITIVE_INFINITY, longest = 1_000) {
  const events: StreamEvent[] = [];
  const reader = eventReader(kind, (event) => events.push(event), longest);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.subarray(at, Math.min(bytes.length, at + chunk)));
  const { unfinished } = reader.end();
  return { events, unfinished };
}

describe('an event stream', () => {
  const text = [
    '\uFEFFdata: erste Zeile é\r\n',
    'data:zweite 🍇\r\n',
    '\r\n',
    ': a comment\n',
    'event: result\nid: 7\nretry: 10\ndata\ndata:  two spaces\n\n',
    'data: a: b\r\r',
    'other: x\n\n',
  ].join('');
  const events = [{ data: 'erste Zeile é\nzweite 🍇' }, { data: '\n two spaces', name: 'result' }, { data: 'a: b' }];

  it.each([Number.POSITIVE_INFINITY, 1, 2, 3, 5, 7])('gives the same events in chunks of %s bytes', (chunk) => {
    expect(read('sse', text, chunk)).toEqual({ events, unfinished: undefined });
  });

  it('does not take a character for an end of line that only other formats know', () => {
    expect(read('sse', 'data: a\u2028b\u0085c\n\n').events).toEqual([{ data: 'a\u2028b\u0085c' }]);
  });

  it('forgets what an event was called with the event', () => {
    expect(read('sse', 'event: a\n\ndata: 1\n\n').events).toEqual([{ data: '1' }]);
  });

  it('takes what only keeps the connection open for no event', () => {
    expect(read('sse', ': ping\n\ndata:\n\nevent: ping\n\ndata:  \n\n').events).toEqual([]);
  });

  it.each([
    ['data: {"a"', { data: '{"a"' }],
    ['data: 1\ndata: 2\n', { data: '1\n2' }],
    ['event: result\n', { data: '', name: 'result' }],
    ['dat', { data: '' }],
    [': comment', undefined],
    ['id: 5\nretry: 3\n', undefined],
    ['\n', undefined],
  ])('that ends in %j says what is not whole', (tail, unfinished) => {
    expect(read('sse', `data: first\n\n${tail}`)).toEqual({ events: [{ data: 'first' }], unfinished });
  });

  it('holds no event beyond its limit, in one line or in many', () => {
    expect(() => read('sse', `data: ${'x'.repeat(95)}`, 10, 100)).toThrow(EventTooLong);
    expect(() => read('sse', 'data: 23456789\n'.repeat(20), 10, 100)).toThrow(EventTooLong);
    expect(read('sse', 'data: 23456789\n\n'.repeat(20), 10, 100).events).toHaveLength(20);
  });
});

describe('lines of JSON', () => {
  it.each([Number.POSITIVE_INFINITY, 1, 2, 3])('gives one event a line in chunks of %s bytes', (chunk) => {
    const events = [{ data: '{"é":"🍇"}' }, { data: ' [1]' }, { data: '2' }];
    expect(read('ndjson', '\uFEFF{"é":"🍇"}\n\n \r\n [1]\r\n2\n', chunk)).toEqual({ events, unfinished: undefined });
  });

  it('says what no line end followed', () => {
    expect(read('ndjson', '1\n{"a":').unfinished).toEqual({ data: '{"a":' });
    expect(read('ndjson', '1\n \t').unfinished).toBeUndefined();
  });

  it('holds no line beyond its limit', () => {
    expect(() => read('ndjson', 'x'.repeat(101), 10, 100)).toThrow(EventTooLong);
  });

  it('reads a long line in a time that grows with its length alone', () => {
    const reader = eventReader('ndjson', () => {}, 1e8);
    const chunk = Buffer.alloc(1_024, 'x');
    const begun = performance.now();
    for (let i = 0; i < 32_768; i++) reader.push(chunk);
    expect(reader.end().unfinished?.data).toHaveLength(32 * 1024 * 1024);
    // Looking at all of it again for each chunk would be 500 GB of characters.
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
