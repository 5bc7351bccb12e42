import { MCP_CODES } from '../../jsonrpc/errors.js';
import { errorMessage, type RequestId, requestKey } from '../../jsonrpc/messages.js';
import type { ServerSettings } from '../../ports/catalogue.js';
import type { LiveSession } from '../../sessions/live-session.js';
import type { Acceptable } from '../../wire/http-headers.js';
import type { HttpResponder } from '../http-exchange.js';
import { ConnectionSink } from './connection-sink.js';
import type { EndpointServices } from './services.js';
import { UNSHOWN } from './session-exchange.js';

/** The place of one element in the answer to its batch. */
export class BatchSlot {
  settled = false;
  said = false;
  json: string | undefined;
  /** Lets go of the request without an answer. */
  abandon: ((reason: string) => void) | undefined;

  constructor(
    private readonly answer: BatchAnswer,
    readonly id: RequestId | undefined,
    /** The element before this one with the same id, whose answer goes first: a client tells them apart by order alone. */
    readonly before: BatchSlot | undefined,
  ) {}

  get streaming(): boolean {
    return this.answer.streaming;
  }

  /** Whether what is said now can arrive. */
  get reachable(): boolean {
    return this.answer.reachable;
  }

  get unheard(): boolean {
    return this.answer.unheard;
  }

  /** Whether its answer may leave now, were it there. */
  get next(): boolean {
    return this.before === undefined || this.before.said;
  }

  openStream(): void {
    this.answer.openStream();
  }

  /** Something that precedes the answer. */
  say(json: string): void {
    this.answer.say(json);
  }

  /** The answer, or that there will be none. */
  settle(json: string | undefined): void {
    if (!this.settled) this.answer.settle(this, json);
  }
}

/**
 * The one answer to a batch: a JSON array in the order of its elements, or a stream of the session's log as soon as
 * something has to be said before the last answer is there. It is complete when every element is settled.
 */
export class BatchAnswer {
  readonly #slots: BatchSlot[] = [];
  readonly #newest = new Map<string, BatchSlot>();
  #starting = true;
  #sound = false;
  #over = false;
  #gone = false;
  /** Characters of answers that wait here. */
  #kept = 0;
  #stream: string | undefined;
  #sink: ConnectionSink | undefined;

  constructor(
    private readonly services: EndpointServices,
    private readonly responder: HttpResponder,
    private readonly settings: ServerSettings,
    private readonly accepts: Acceptable,
    private readonly session: LiveSession,
  ) {
    responder.onDisconnect(() => {
      this.#gone = true;
      this.#sink?.gone();
    });
  }

  get streaming(): boolean {
    return this.#stream !== undefined;
  }

  get reachable(): boolean {
    return this.#stream !== undefined || !this.#gone;
  }

  /** The client left before it was given anything that it could resume. */
  get unheard(): boolean {
    return this.#gone && !this.streaming;
  }

  slot(id: RequestId | undefined): BatchSlot {
    const key = id === undefined ? undefined : requestKey(id);
    const slot = new BatchSlot(this, id, key === undefined ? undefined : this.#newest.get(key));
    if (key !== undefined) this.#newest.set(key, slot);
    this.#slots.push(slot);
    return slot;
  }

  /**
   * Every element has its slot or has been heard.
   * @param sound at least one of them was a message
   */
  started(sound: boolean): void {
    this.#starting = false;
    this.#sound = sound;
    this.#advance();
  }

  say(json: string): void {
    this.openStream();
    if (this.#stream !== undefined && !this.#over) this.session.append(this.#stream, json);
  }

  settle(slot: BatchSlot, json: string | undefined): void {
    const large = json !== undefined && this.#kept > 0 && this.#kept + json.length > this.services.limits.resultLength;
    if (large && this.accepts.sse) this.openStream();
    slot.settled = true;
    slot.json = large && !(this.streaming && slot.next) ? this.#tooLarge(slot) : json;
    this.#kept += slot.json?.length ?? 0;
    this.#advance();
  }

  /** A client that left before any event id reached it can ask for nothing, so nothing is kept for it. */
  openStream(): void {
    if (this.#stream !== undefined || this.#gone || this.#over) return;
    const stream = this.session.newStream();
    const sink = new ConnectionSink(this.services, this.responder, this.settings);
    this.#stream = stream;
    this.#sink = sink;
    const opened = this.session.openStream(stream, this.#requests());
    if (opened instanceof Promise) {
      const { logger } = this.services;
      opened.catch((error) => logger.error({ stream, error: String(error) }, 'stream could not be opened'));
    }
    sink.show(this.session, stream, 0, () => this.#unshown(sink));
    this.#advance();
  }

  #requests(): RequestId[] {
    return this.#slots.flatMap(({ id }) => (id === undefined ? [] : [id]));
  }

  #advance(): void {
    if (this.#over) return;
    const complete = !this.#starting && this.#slots.every(({ settled }) => settled);
    if (this.#stream !== undefined) this.#sayReady(this.#stream, complete);
    else if (complete) this.#answerAtOnce();
  }

  #sayReady(stream: string, complete: boolean): void {
    const ready: string[] = [];
    for (const slot of this.#slots) {
      if (slot.said || !slot.settled || !slot.next) continue;
      slot.said = true;
      if (slot.json !== undefined) ready.push(slot.json);
      this.#kept -= slot.json?.length ?? 0;
      slot.json = undefined;
    }
    this.#over = complete;
    const last = complete ? ready.pop() : undefined;
    for (const json of ready) this.session.answer(stream, json);
    if (last !== undefined) this.session.finish(stream, last);
    else if (complete) this.session.endStream(stream);
  }

  #answerAtOnce(): void {
    const answers = this.#slots.flatMap(({ json }) => json ?? []);
    if (answers.length > 0 && this.#sound && !this.accepts.json && !this.#gone) return this.openStream();
    this.#over = true;
    if (this.#gone) this.services.logger.info({ session: this.session.id }, 'batch unread: the client left');
    else if (answers.length === 0) this.responder.empty(202);
    else this.responder.json(this.#sound ? 200 : 400, `[${answers.join(',')}]`);
  }

  /** The log cannot show what the requests say: a client that is still there learns it now, and they stop. */
  #unshown(sink: ConnectionSink): void {
    if (this.#over || sink.closed) return sink.end();
    this.#over = true;
    const waiting = this.#slots.filter(({ said }) => !said);
    for (const { id } of waiting) sink.unlogged(JSON.stringify(errorMessage(id, MCP_CODES.INTERNAL_ERROR, UNSHOWN)));
    sink.end();
    for (const { abandon } of waiting) abandon?.(UNSHOWN);
  }

  #tooLarge({ id }: BatchSlot): string {
    const words = `The answers of this batch are too large together; the limit is ${this.services.limits.resultLength} characters`;
    return JSON.stringify(errorMessage(id, MCP_CODES.INTERNAL_ERROR, words));
  }
}
