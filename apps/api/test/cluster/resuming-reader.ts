import type { SessionClient } from '../wire/clients.js';
import { Arrivals } from '../wire/deadline.js';
import { type Answer, type Frame, type Message, send } from '../wire/exchange.js';

const AGAIN_MS = 50;
const GIVE_UP_MS = 30_000;
/** Statuses of a node, or of all, that is away for the moment. */
export const MAY_GO_AWAY = [429, 502, 503];

/**
 * Reads one stream to its end over any number of connections, as a careful client does: whenever a connection ends it
 * asks for what came after the last event that it has. Fails at an event that is lost, doubled or out of order, by the
 * ids, which count the events of a stream without holes.
 */
export class ResumingReader {
  /** Messages in the order in which they came. */
  readonly messages = new Arrivals<Message>();
  /** Resolves when the stream is over, or after `stop`; rejects with what was wrong. */
  readonly done: Promise<void>;
  /** How often it has asked for the rest. */
  resumes = 0;
  private lastEventId: string | undefined;
  private connection: Answer | undefined;
  private fault: Error | undefined;
  private stopped = false;

  /**
   * @param client asks for the rest, so its address should be that of a balancer
   * @param first the answer that the stream began with
   */
  constructor(
    private readonly client: SessionClient,
    first: Answer,
    /** Takes how long each resume took, in milliseconds. */
    private readonly resumeMs: number[] = [],
  ) {
    this.done = this.read(first);
    this.done.catch(() => undefined);
  }

  /** Waits for a message; fails at once when the stream is found faulty. */
  first(what: string, fits: (message: Message) => boolean, ms?: number): Promise<Message> {
    const failed = this.done.then(() => new Promise<never>(() => {}));
    return Promise.race([this.messages.first(what, fits, ms === undefined ? {} : { ms }), failed]);
  }

  /** Waits until so many messages are there, and gives all there are. */
  async count(n: number, ms?: number): Promise<readonly Message[]> {
    await this.first(`${n} messages on the stream`, () => this.messages.all.length >= n, ms);
    return this.messages.all;
  }

  /** Breaks the connection; the next one takes the stream up. */
  drop(): void {
    this.connection?.destroy();
  }

  /** Reads no further. Throws if anything was wrong so far. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.drop();
    await this.done;
  }

  private async read(first: Answer): Promise<void> {
    for (let answer: Answer | undefined = first; answer !== undefined; answer = await this.resume()) {
      this.connection = answer;
      const unlisten = answer.frames.each((frame) => this.take(frame));
      await answer.over;
      unlisten();
      if (this.fault) throw this.fault;
      if (this.stopped || this.answered()) return;
    }
  }

  private take(frame: Frame): void {
    try {
      this.judge(frame);
      if (frame.message !== undefined) this.messages.add(frame.message);
    } catch (error) {
      // Thrown here it would reach the socket, not the test.
      this.fault ??= error as Error;
      this.drop();
    }
  }

  private judge({ id, message }: Frame): void {
    if (id === undefined) {
      if (message !== undefined) throw new Error(`an event without an id: ${JSON.stringify(message)}`);
      return;
    }
    const before = this.lastEventId;
    const [stream, sequence] = parts(id);
    if (before !== undefined) {
      const [ours, last] = parts(before);
      // An empty event says where the client stands.
      const due = message === undefined ? last : last + 1;
      if (stream !== ours) throw new Error(`event ${id} on the stream of ${before}`);
      if (sequence !== due) throw new Error(`event ${id} came after ${before}: ${JSON.stringify(message)}`);
    } else if (message !== undefined && sequence !== 1) throw new Error(`the first event is ${id}`);
    this.lastEventId = id;
  }

  private answered(): boolean {
    const last = this.messages.all.at(-1);
    return last !== undefined && last.method === undefined;
  }

  /** The next connection of this stream; undefined when it is over. */
  private async resume(): Promise<Answer | undefined> {
    const started = Date.now();
    const end = started + GIVE_UP_MS;
    for (;;) {
      this.resumes += 1;
      const answer = await this.ask().catch(() => undefined);
      if (answer?.status === 200) {
        this.resumeMs.push(Date.now() - started);
        return answer;
      }
      if (answer?.status === 204 || this.stopped) return undefined;
      const said = answer === undefined ? 'nothing' : `${answer.status} ${await answer.body()}`;
      if (answer !== undefined && !MAY_GO_AWAY.includes(answer.status)) throw new Error(`resume was answered ${said}`);
      if (Date.now() > end) throw new Error(`no resume within ${GIVE_UP_MS} ms, the last answer was ${said}`);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  private ask(): Promise<Answer> {
    const headers = { ...this.client.headers, 'content-type': undefined, accept: 'text/event-stream' };
    return send(this.client.url, { method: 'GET', headers: { ...headers, 'last-event-id': this.lastEventId } }).answer;
  }
}

function parts(id: string): [string, number] {
  const dot = id.lastIndexOf('.');
  const sequence = Number(id.slice(dot + 1));
  if (dot < 1 || !Number.isInteger(sequence)) throw new Error(`no event id: ${id}`);
  return [id.slice(0, dot), sequence];
}
