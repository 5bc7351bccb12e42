import type { ReplyStream } from '../../ports/jobs.js';
import type { EventSink } from '../../sessions/session-streams.js';
import { answerIn } from './relay.js';

/** What a call's connection is, as a stream of its session is shown on it. */
export interface RelayedConnection {
  /** Opens the connection as an event stream; undefined when nobody is there any more. */
  open(): EventSink | undefined;
  /** Answers with JSON, if nothing has been said before and the client takes that; false if not. */
  json(message: string): boolean;
  /** The stream is over, or another connection has it. */
  over(): void;
  /** As `over`, and nothing was shown: the request has no answer yet, and gets none from its job. */
  lost(): void;
}

/**
 * Shows a job's stream on the connection of its call. An answer that is the first thing said is plain JSON, where the
 * client takes it; anything before it makes the answer a stream.
 */
export class SessionRelay implements EventSink {
  #sink: EventSink | undefined;
  #answered = false;

  constructor(
    readonly reply: ReplyStream,
    private readonly connection: RelayedConnection,
  ) {}

  /** The stream is shown although there is nothing to say yet. */
  begin(): void {
    if (!this.#answered) this.#sink ??= this.connection.open();
  }

  event(id: string, json: string): void {
    if (this.#sink === undefined && !this.#answered && answerIn(json) !== undefined && this.connection.json(json)) {
      this.#answered = true;
      return;
    }
    this.begin();
    this.#sink?.event(id, json);
  }

  unlogged(json: string): void {
    this.begin();
    this.#sink?.unlogged(json);
  }

  last(json: string): void {
    this.begin();
    this.#sink?.last(json);
    this.connection.over();
  }

  end(): void {
    this.#sink?.end();
    this.#over();
  }

  leave(retryMs?: number): void {
    this.#sink?.leave(retryMs);
    this.#over();
  }

  #over(): void {
    if (this.#sink === undefined && !this.#answered) this.connection.lost();
    else this.connection.over();
  }
}
