export interface SseEvent {
  event: string;
  data: string;
  id?: string;
}

/** A stream that sends more than this without ending an event is broken or hostile. */
export const maxEventChars = 32 * 1024 * 1024;

/** Incremental parser of text/event-stream (WHATWG HTML §9.2.6): feed text, take whole events. */
export function createSseParser() {
  let rest = '';
  let event = '';
  let id: string | undefined;
  let data: string[] = [];
  let pending = 0;

  function line(text: string, out: SseEvent[]): void {
    if (text === '') {
      if (data.length > 0) out.push({ event: event || 'message', data: data.join('\n'), ...(id ? { id } : {}) });
      event = '';
      data = [];
      pending = 0;
      return;
    }
    if (text.startsWith(':')) return;
    const colon = text.indexOf(':');
    const field = colon < 0 ? text : text.slice(0, colon);
    const raw = colon < 0 ? '' : text.slice(colon + 1);
    const value = raw.startsWith(' ') ? raw.slice(1) : raw;
    if (field === 'event') event = value;
    else if (field === 'id') id = value;
    else if (field === 'data') {
      data.push(value);
      pending += value.length;
    }
  }

  return {
    /** @throws RangeError when one event outgrows `maxEventChars`. */
    push(chunk: string): SseEvent[] {
      const out: SseEvent[] = [];
      rest += chunk;
      for (;;) {
        const end = /\r\n|\n|\r(?!$)/.exec(rest);
        if (!end) break;
        line(rest.slice(0, end.index), out);
        rest = rest.slice(end.index + end[0].length);
      }
      if (rest.length + pending > maxEventChars) throw new RangeError('an event of the stream is too large');
      return out;
    },
  };
}

/** The events of a response body, until it ends. Leaving the loop early closes the connection. */
export async function* readSse(body: ReadableStream<Uint8Array>): AsyncGenerator<SseEvent> {
  const parser = createSseParser();
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
