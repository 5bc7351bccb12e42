import type { Bell, EventsBell } from './bell.js';
import { answerUnknown } from './dead-calls.js';
import { Delivery } from './delivery.js';
import type { ReadReply, Tail, WriteReply } from './log-redis.js';
import { NO_SESSION, NO_STREAM, READ_TAKEN } from './log-scripts.js';
import { OperationQueue } from './operation-queue.js';
import { changesNothing, type Operation, readOperation, settleOperation } from './operations.js';
import { retrying } from './retry.js';
import type { StreamContext } from './stream-context.js';
import type { StreamId } from './stream-id.js';
import { settleWrite } from './write-outcome.js';

/** Bells that may wait for a write to come back; when there are more, the stream is read instead. */
const BELLS_MAX = 256;

/**
 * One stream as far as this node writes to it or shows it. One write is under way at a time, so that order is kept;
 * what is wanted meanwhile goes into the next one, and what is wanted in one turn of the event loop goes together.
 */
export class LocalStream {
  readonly #queue: OperationQueue;
  #scheduled = false;
  #flying = false;
  #bells: Bell[] = [];
  #delivery: Delivery | undefined;
  #reading = false;
  #settling = false;

  constructor(
    readonly id: StreamId,
    private readonly context: StreamContext<LocalStream>,
  ) {
    this.#queue = new OperationQueue(context);
  }

  /** The node whose call the shown stream answers. */
  get callNode(): string | undefined {
    return this.#delivery?.callNode;
  }

  /** @throws LogFullError when too much waits already */
  add(operation: Operation): void {
    this.#queue.add(operation);
    if (this.#flying || this.#scheduled) return;
    this.#scheduled = true;
    // At the end of this turn: a tick that a microtask asks for runs when no microtask is left.
    queueMicrotask(() => process.nextTick(() => void this.#write()));
  }

  /** What another node has rung for. */
  ring(bell: Bell): void {
    if (!this.#flying) {
      this.#hear(bell);
      this.#settle();
    } else if (this.#bells.length < BELLS_MAX) {
      // What this node has under way may come before it.
      this.#bells.push(bell);
    } else {
      this.context.doubt(this);
    }
  }

  /** The newest position that was told here; 0 when nothing was. */
  get position(): number {
    return this.#delivery?.position ?? 0;
  }

  /** How the stream stood a moment ago, when its `position` was at least `shownTo`. */
  checked(tail: Tail | undefined, shownTo: number): void {
    const delivery = this.#delivery;
    if (delivery === undefined) return;
    if (tail === undefined) {
      delivery.gone();
    } else if (tail.epoch > delivery.epoch) {
      delivery.taken();
    } else {
      this.#compare(tail.last, shownTo);
      const behind = delivery.behind || this.#flying;
      if (tail.ended) delivery.ended(tail.last);
      else delivery.heard(tail.last);
      if (delivery.behind && !behind) this.context.meter.rescued();
      delivery.callNode = tail.ended ? undefined : tail.callNode;
      this.answerForTheDead();
    }
    this.#settle();
  }

  /** The streams of the session were dropped. */
  dropped(): void {
    this.#delivery?.gone();
    this.#settle();
  }

  /** When the node that runs the call has stopped: answers for it, once over all nodes. */
  answerForTheDead(): void {
    const node = this.#delivery?.callNode;
    if (node === undefined || this.#settling || !this.context.live.isGone(node)) return;
    this.#settling = true;
    answerUnknown(
      () => this.#read(0),
      (last, data) => this.#settleCall(last, data),
    )
      .catch(() => this.context.doubt(this))
      .finally(() => {
        this.#settling = false;
      });
  }

  #read(position: number): Promise<ReadReply | undefined> {
    return new Promise((resolve, reject) => this.add(readOperation(position, { resolve, reject })));
  }

  #settleCall(last: number, data: readonly string[]): Promise<boolean> {
    return new Promise((resolve, reject) => this.add(settleOperation(last, data, { resolve, reject })));
  }

  async #write(): Promise<void> {
    this.#scheduled = false;
    this.#flying = true;
    const { context, position: shownTo } = this;
    const batch = this.#queue.take();
    const number = context.nextWrite();
    const words = batch.flatMap((operation) => operation.words);
    const attempt = () => {
      context.meter.script();
      return context.redis.write(this.id, number, words);
    };
    try {
      const { clock, deadlineMs, meter } = context;
      const patient = { clock, deadlineMs, onRetry: () => meter.retried() };
      const reply = await (batch.every(changesNothing) ? attempt() : retrying(attempt, patient));
      this.#flying = false;
      this.#queue.done(batch);
      this.#apply(batch, reply, shownTo);
    } catch (error) {
      this.#flying = false;
      this.#queue.done(batch);
      for (const operation of batch) operation.reject(error);
      // Whether it took effect is not known.
      if (this.#delivery !== undefined) context.doubt(this);
      this.#tell([]);
    }
    if (!this.#queue.empty && !this.#scheduled) void this.#write();
    else this.#rest();
  }

  /** @param shownTo the newest position that was told here before the write was asked for */
  #apply(batch: readonly Operation[], reply: WriteReply, shownTo: number): void {
    // Whoever has taken the stream brings what was written from then on.
    if (this.#delivery !== undefined && reply.epoch > this.#delivery.epoch) this.#delivery.taken();
    this.#compare(reply.last, shownTo);
    const { state, count, said } = settleWrite(batch, reply, (operation, before) => {
      this.#deliver(before);
      return reply.read && this.#follow(operation, reply.read);
    });
    if (count > 0) this.context.meter.appended(count);
    if (state === NO_SESSION || state === NO_STREAM) this.#delivery?.gone();
    this.#tell(said);
    this.answerForTheDead();
  }

  /**
   * A Redis that came back without its last writes counts anew from where it stands: what it calls by the numbers that
   * were told already would be taken for that. The stream ends here, so that its client asks and is told.
   */
  #compare(newest: number, shownTo: number): void {
    if (newest >= shownTo || this.#delivery === undefined || this.#delivery.over) return;
    this.context.meter.rolledBack();
    this.#delivery.gone();
  }

  #follow({ follower, position }: Operation & { kind: 'follow' }, read: ReadReply): () => void {
    this.#delivery?.taken();
    const delivery = new Delivery(follower, position, read.epoch);
    if (read.status === READ_TAKEN) delivery.taken();
    else delivery.replay(read);
    if (!delivery.over && this.#delivery === undefined) this.context.shown(this, true);
    if (!delivery.over || this.#delivery !== undefined) this.#delivery = delivery;
    if (!delivery.over) delivery.callNode = read.callNode;
    return () => {
      delivery.stop();
      this.#settle();
    };
  }

  /** What this node has said, and what others have meanwhile, in the order of the stream. */
  #tell(said: EventsBell[]): void {
    const bells = this.#bells;
    if (bells.length > 0) {
      this.#bells = [];
      const events = bells.filter((bell) => bell.kind === 'events');
      said.push(...events);
      said.sort((one, other) => one.first - other.first);
    }
    this.#deliver(said);
    for (const bell of bells) if (bell.kind !== 'events') this.#hear(bell);
    this.#settle();
  }

  #deliver(said: readonly EventsBell[]): void {
    if (this.#delivery !== undefined) for (const bell of said) this.#hear(bell);
  }

  #hear(bell: Bell): void {
    const delivery = this.#delivery;
    if (delivery === undefined) return;
    if (bell.kind === 'dropped') return delivery.gone();
    if (bell.kind === 'taken') return bell.epoch > delivery.epoch ? delivery.taken() : undefined;
    if (bell.data === undefined) delivery.heard(bell.last);
    else delivery.events(bell.first, bell.data);
    if (bell.ended) delivery.ended(bell.last);
  }

  /** Reads what is missing; lets go of a follower that hears no more. */
  #settle(): void {
    const delivery = this.#delivery;
    if (delivery?.over) {
      this.#delivery = undefined;
      this.context.shown(this, false);
      this.#rest();
    } else if (delivery?.behind && !this.#reading && !this.#flying) {
      this.#catchUp(delivery);
    }
  }

  #catchUp(delivery: Delivery): void {
    const failed = () => {
      this.#reading = false;
      this.context.doubt(this);
    };
    const resolve = (read: ReadReply | undefined) => {
      this.#reading = false;
      if (read === undefined) delivery.gone();
      else delivery.replay(read);
    };
    this.#reading = true;
    this.context.meter.read();
    try {
      this.add(readOperation(delivery.position, { resolve, reject: failed }));
    } catch {
      failed();
    }
  }

  #rest(): void {
    const busy = this.#flying || this.#scheduled || !this.#queue.empty || this.#delivery !== undefined;
    if (!busy) this.context.idle(this);
  }
}
