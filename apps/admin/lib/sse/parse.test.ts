import { describe, expect, it } from 'vitest';
import { createSseParser, maxEventChars, readSse } from './parse';

const all = (...chunks: string[]) => {
  const parser = createSseParser();
  return chunks.flatMap((chunk) => parser.push(chunk));
};

function streamOf(chunks: Uint8Array[], onCancel: () => void = () => undefined): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const next = chunks.shift();
      if (next) controller.enqueue(next);
      else controller.close();
    },
    cancel: onCancel,
  });
}

describe('the SSE parser', () => {
  it('reads name, id and data of an event', () => {
    expect(all('id: 7\nevent: progress\ndata: {"progress":1}\n\n')).toEqual([
      { id: '7', event: 'progress', data: '{"progress":1}' },
    ]);
  });

  it('joins several data lines with a line feed', () => {
    expect(all('data: a\ndata:\ndata:  b\n\n')).toEqual([{ event: 'message', data: 'a\n\n b' }]);
  });

  it('takes an event that arrives one character at a time', () => {
    const text = 'event: log\r\ndata: one\r\n\r\nevent: log\r\ndata: two\r\n\r\n';
    expect(all(...text).map((event) => event.data)).toEqual(['one', 'two']);
  });

  it('ends lines at CR, LF and CRLF alike', () => {
    expect(all('data: a\r\rdata: b\n\ndata: c\r\n\r\n').map((event) => event.data)).toEqual(['a', 'b', 'c']);
  });

  it('ignores comments, unknown fields and events without data', () => {
    expect(all(': keep-alive\n\nretry: 5\n\nevent: result\n\ndata: x\n\n')).toEqual([{ event: 'message', data: 'x' }]);
  });

  it('keeps back an event that has not ended', () => {
    expect(all('data: half\n')).toEqual([]);
  });

  it('refuses an event without end', () => {
    const parser = createSseParser();
    expect(() => parser.push(`data: ${'x'.repeat(maxEventChars)}`)).toThrow(RangeError);
  });
});

describe('readSse', () => {
  it('puts a character together that two chunks share', async () => {
    const bytes = new TextEncoder().encode('data: é\n\n');
    const events = [];
    for await (const event of readSse(streamOf([bytes.slice(0, 7), bytes.slice(7)]))) events.push(event.data);
    expect(events).toEqual(['é']);
  });

  it('closes the stream when the loop is left early', async () => {
    let cancelled = false;
    const chunks = [new TextEncoder().encode('data: 1\n\ndata: 2\n\n'), new TextEncoder().encode('data: 3\n\n')];
    for await (const _event of readSse(streamOf(chunks, () => (cancelled = true)))) break;
    expect(cancelled).toBe(true);
  });
});
