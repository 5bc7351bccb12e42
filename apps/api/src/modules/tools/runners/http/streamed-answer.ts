import type { RunContext } from '@gantry/mcp-core';
import { isObject } from '../../../../common/json.js';
import { type EventReader, eventReader, type StreamKind } from './event-reader.js';
import type { SecretMask } from './secrets.js';

/** Of an event's text, as a progress message. */
const MESSAGE_LENGTH = 500;

/**
 * The answer of a streaming backend while it comes: each event is progress, the last one the result. An event that is a
 * JSON object with a numeric `progress` says its own progress, `total` and `message`; every other counts one more.
 */
export class StreamedAnswer {
  private readonly reader: EventReader;
  private events = 0;
  private newest: string | undefined;

  constructor(
    kind: StreamKind,
    private readonly context: Pick<RunContext, 'progress'>,
    private readonly mask: SecretMask,
  ) {
    this.reader = eventReader(kind, (data) => this.heard(data));
  }

  push(bytes: Uint8Array): void {
    this.reader.push(bytes);
  }

  /** The last event; undefined when there was none. */
  end(): string | undefined {
    this.reader.end();
    return this.newest;
  }

  private heard(data: string): void {
    this.events++;
    this.newest = data;
    const said = progressIn(data);
    const message = this.mask.text(said?.message ?? data).slice(0, MESSAGE_LENGTH);
    this.context.progress(said?.progress ?? this.events, said?.total, message);
  }
}

function progressIn(data: string): { progress: number; total?: number; message?: string } | undefined {
  if (!data.includes('"progress"')) return undefined;
  try {
    const value: unknown = JSON.parse(data);
    if (!isObject(value) || typeof value.progress !== 'number') return undefined;
    const { progress, total, message } = value;
    return {
      progress,
      ...(typeof total === 'number' ? { total } : {}),
      message: typeof message === 'string' ? message : '',
    };
  } catch {
    return undefined;
  }
}

/** Whether text is one JSON value. */
export function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
