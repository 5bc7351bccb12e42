import { TextDecoder } from 'node:util';

/** How the events of an answer are divided. */
export type StreamKind = 'sse' | 'ndjson';

/** Takes an answer's bytes as they come and gives its events as they are complete. */
export interface EventReader {
  push(bytes: Uint8Array): void;
  /** The answer is over: what is left counts if the format says so. */
  end(): void;
}

/**
 * @param event told the data of each event
 * @returns a reader of an event stream (WHATWG HTML, server-sent events), or of JSON values one a line
 */
export function eventReader(kind: StreamKind, event: (data: string) => void): EventReader {
  return kind === 'sse' ? new SseReader(event) : new LineReader(event);
}

/** Cuts text into lines, wherever the chunks are cut: CRLF, LF and CR end one. */
class Lines {
  private readonly decoder = new TextDecoder();
  private rest = '';
  private afterReturn = false;

  constructor(private readonly line: (text: string) => void) {}

  push(bytes: Uint8Array): void {
    this.take(this.decoder.decode(bytes, { stream: true }));
  }

  /** Gives what no line end followed. */
  end(): string {
    this.take(this.decoder.decode());
    return this.rest;
  }

  private take(text: string): void {
    // A LF that belongs to the CR at the end of the chunk before.
    const fresh = this.afterReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.afterReturn = text.endsWith('\r');
    const lines = (this.rest + fresh).split(/\r\n|\n|\r/);
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.line(line);
  }
}

class SseReader implements EventReader {
  private data: string[] = [];
  private readonly lines = new Lines((line) => this.line(line));

  constructor(private readonly event: (data: string) => void) {}

  push(bytes: Uint8Array): void {
    this.lines.push(bytes);
  }

  /** An event without its blank line has not been sent to its end, and is none. */
  end(): void {
    this.lines.end();
  }

  private line(line: string): void {
    if (line === '') {
      if (this.data.length > 0) this.event(this.data.join('\n'));
      this.data = [];
      return;
    }
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') this.data.push(value);
  }
}

class LineReader implements EventReader {
  private readonly lines = new Lines((line) => this.line(line));

  constructor(private readonly event: (data: string) => void) {}

  push(bytes: Uint8Array): void {
    this.lines.push(bytes);
  }

  end(): void {
    this.line(this.lines.end());
  }

  private line(line: string): void {
    if (line.trim() !== '') this.event(line);
  }
}
