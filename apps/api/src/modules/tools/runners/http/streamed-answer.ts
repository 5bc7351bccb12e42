import type { RunContext } from '@gantry/mcp-core';
import { isObject } from '../../../../common/json.js';
import { cleanJsonText } from './answer.js';
import { type EventReader, eventReader, type StreamEvent, type StreamKind } from './event-reader.js';
import type { SecretMask } from './secrets.js';

/** Of an event's text, as a message. */
const MESSAGE_LENGTH = 500;
/** Messages that one stream may send to its client, as many as the code of a tool. */
const MESSAGES_MAX = 10_000;
/** How some APIs say that all has been said. */
const END_MARK = '[DONE]';

/** Whom a stream tells of its events. */
export type StreamContext = Pick<RunContext, 'progress' | 'log'>;

/** What a stream came to: its last event, or that it had none, or that it broke off in the middle of one. */
export type StreamResult =
  | { readonly kind: 'result' | 'error'; readonly text: string; readonly isJson: boolean }
  | { readonly kind: 'none' }
  | { readonly kind: 'cut' };

interface OwnProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * The answer of a streaming backend while it comes: each event is progress, the last one the result. An event that is a
 * JSON object with a numeric `progress` says its own progress, `total` and `message`. Where there is none, events are
 * counted; where there was one, the others are log messages, since a count beside it would only go back.
 */
export class StreamedAnswer {
  private readonly reader: EventReader;
  private events = 0;
  private told = 0;
  private saysProgress = false;
  private newest: StreamEvent | undefined;
  /** An event that becomes a log message when it turns out not to be the last. */
  private unsaid: string | undefined;

  constructor(
    kind: StreamKind,
    longestEvent: number,
    private readonly context: StreamContext,
    private readonly mask: SecretMask,
  ) {
    this.reader = eventReader(kind, (event) => this.heard(event), longestEvent);
  }

  /** @throws EventTooLong */
  push(bytes: Uint8Array): void {
    this.reader.push(bytes);
  }

  /** @throws EventTooLong */
  end(): StreamResult {
    const { unfinished } = this.reader.end();
    if (unfinished !== undefined) {
      // Some backends leave out the last line's end: what could not be whole by chance is taken for whole.
      if (!isWholeJson(unfinished.data) && unfinished.data !== END_MARK) return { kind: 'cut' };
      this.heard(unfinished);
    }
    if (this.newest === undefined) return { kind: 'none' };
    const { data, name } = this.newest;
    const value = parsed(data);
    const failed = name === 'error' || saysError(value);
    return { kind: failed ? 'error' : 'result', text: data, isJson: value !== undefined };
  }

  private heard(event: StreamEvent): void {
    if (event.data === END_MARK) return;
    this.events++;
    this.newest = event;
    if (this.unsaid !== undefined) this.tell(() => this.context.log('info', this.excerpt(this.unsaid ?? '')));
    this.unsaid = undefined;
    const own = progressIn(event.data);
    if (own !== undefined) {
      this.saysProgress = true;
      const message = own.message === undefined ? undefined : this.excerpt(own.message);
      this.tell(() => this.context.progress(own.progress, own.total, message));
    } else if (this.saysProgress) this.unsaid = event.data;
    else this.tell(() => this.context.progress(this.events, undefined, this.excerpt(event.data)));
  }

  /** A backend that says more than anybody reads still gives its result. */
  private tell(say: () => void): void {
    this.told++;
    if (this.told < MESSAGES_MAX) say();
    else if (this.told === MESSAGES_MAX) {
      this.context.log('warning', `The backend sent more than ${MESSAGES_MAX} events; the rest are not shown.`);
    }
  }

  private excerpt(text: string): string {
    const { mask } = this;
    const short = text.length <= MESSAGE_LENGTH + mask.longest;
    // Escapes would hide a secret in a part of JSON.
    if (short || text.includes('\\')) return mask.text(cleanJsonText(text, mask)).slice(0, MESSAGE_LENGTH);
    const masked = mask.text(text.slice(0, MESSAGE_LENGTH + mask.longest));
    // The cut may have halved a secret, which then is no longer found.
    return masked.slice(0, Math.max(0, Math.min(MESSAGE_LENGTH, masked.length - mask.longest)));
  }
}

function progressIn(data: string): OwnProgress | undefined {
  if (!data.includes('progress')) return undefined;
  const value = parsed(data);
  if (!isObject(value) || typeof value.progress !== 'number' || !Number.isFinite(value.progress)) return undefined;
  const { progress, total, message } = value;
  return {
    progress,
    ...(typeof total === 'number' && Number.isFinite(total) ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}

/** A status cannot be taken back once a stream has begun, so its last event says that it failed. */
function saysError(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).length !== 1) return false;
  return value.error !== undefined && value.error !== null && value.error !== '' && value.error !== false;
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A part of an object, list or string is no JSON; a part of a number is. */
function isWholeJson(text: string): boolean {
  const value = parsed(text);
  return value !== undefined && typeof value !== 'number';
}
