import { TextDecoder } from 'node:util';
import { EgressFailure } from '../../../../infra/egress/index.js';

/** How the events of an answer are divided. */
export type StreamKind = 'sse' | 'ndjson';

/** One event of a stream; `name` is what an event stream calls its kind, if it does. */
export interface StreamEvent {
  readonly data: string;
  readonly name?: string;
}

/** How a stream stopped: after a whole event, or in the middle of one, of which this much had come. */
export interface StreamEnd {
  readonly unfinished: StreamEvent | undefined;
}

/** Takes an answer's bytes as they come and gives its events as they are complete. */
export interface EventReader {
  /** @throws EventTooLong */
  push(bytes: Uint8Array): void;
  /** The answer is over. @throws EventTooLong */
  end(): StreamEnd;
}

/** One event is longer than a reader holds. */
export class EventTooLong extends EgressFailure {
  constructor(longest: number) {
    super('malformed', `one event of the backend’s stream is longer than the limit of ${longest} bytes`, true);
  }
}

/**
 * @param event told each event that holds anything; empty ones only keep connections open
 * @param longest how much of one event is held, in characters, of which there are never more than bytes
 * @returns a reader of an event stream (WHATWG HTML, server-sent events), or of JSON values one a line
 */
export function eventReader(kind: StreamKind, event: (event: StreamEvent) => void, longest: number): EventReader {
  return kind === 'sse' ? new SseReader(event, longest) : new LineReader(event, longest);
}

/** Cuts text into lines, wherever the chunks are cut: CRLF, LF and CR end one. Looks at each character once. */
class Lines {
  // Drops the byte order mark that both formats may begin with.
  private readonly decoder = new TextDecoder();
  private held = '';
  private afterReturn = false;

  constructor(
    private readonly line: (text: string) => void,
    private readonly longest: number,
  ) {}

  push(bytes: Uint8Array): void {
    this.take(this.decoder.decode(bytes, { stream: true }));
  }

  /** Gives what no line end followed. */
  end(): string {
    this.take(this.decoder.decode());
    return this.held;
  }

  private take(text: string): void {
    if (text === '') return;
    // A LF that belongs to the CR at the end of the chunk before.
    let from = this.afterReturn && text.startsWith('\n') ? 1 : 0;
    this.afterReturn = text.endsWith('\r');
    const ends = /\r\n|\n|\r/g;
    ends.lastIndex = from;
    for (let found = ends.exec(text); found !== null; found = ends.exec(text)) {
      const line = this.held + text.slice(from, found.index);
      this.held = '';
      from = ends.lastIndex;
      this.line(line);
    }
    this.held += text.slice(from);
    if (this.held.length > this.longest) throw new EventTooLong(this.longest);
  }
}

class SseReader implements EventReader {
  private data: string[] = [];
  private length = 0;
  private name: string | undefined;
  private begun = false;
  private readonly lines: Lines;

  constructor(
    private readonly event: (event: StreamEvent) => void,
    private readonly longest: number,
  ) {
    this.lines = new Lines((line) => this.line(line), longest);
  }

  push(bytes: Uint8Array): void {
    this.lines.push(bytes);
  }

  end(): StreamEnd {
    const rest = this.lines.end();
    if (rest !== '') this.field(rest);
    return { unfinished: this.begun ? this.current() : undefined };
  }

  private line(line: string): void {
    if (line !== '') return this.field(line);
    const event = this.current();
    this.data = [];
    this.length = 0;
    this.name = undefined;
    this.begun = false;
    if (event.data.trim() !== '') this.event(event);
  }

  private current(): StreamEvent {
    const data = this.data.join('\n');
    return this.name === undefined ? { data } : { data, name: this.name };
  }

  private field(line: string): void {
    const colon = line.indexOf(':');
    // A comment: it keeps the connection open.
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    // These may stand by themselves, and say nothing of an event that comes.
    if (field !== 'id' && field !== 'retry') this.begun = true;
    if (field === 'event') this.name = value;
    if (field !== 'data') return;
    this.data.push(value);
    this.length += value.length + 1;
    if (this.length > this.longest) throw new EventTooLong(this.longest);
  }
}

class LineReader implements EventReader {
  private readonly lines: Lines;

  constructor(
    private readonly event: (event: StreamEvent) => void,
    longest: number,
  ) {
    this.lines = new Lines((line) => this.line(line), longest);
  }

  push(bytes: Uint8Array): void {
    this.lines.push(bytes);
  }

  end(): StreamEnd {
    const data = this.lines.end();
    return { unfinished: data.trim() === '' ? undefined : { data } };
  }

  private line(data: string): void {
    if (data.trim() !== '') this.event({ data });
  }
}
