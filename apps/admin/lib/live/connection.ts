import { createSseParser, type SseEvent } from '@/lib/sse/parse';

/**
 * `idle`: nothing is watched. `live`: events come as they happen. `reconnecting`: the stream broke a moment ago.
 * `delayed`: it stays broken or was refused, screens poll. `paused`: closed by the reader, or because nobody looked.
 * `closed`: for good.
 */
export type LiveState = 'idle' | 'connecting' | 'live' | 'reconnecting' | 'delayed' | 'paused' | 'closed';

export interface LiveStatus {
  state: LiveState;
  /** When the last event came, in epoch milliseconds; heartbeats do not count. */
  lastEventAt: number | undefined;
}

export interface LiveTimes {
  /** Topics that come and go within this time cause one reconnect. */
  settleMs: number;
  /** Waits between attempts; the last one repeats. */
  retryMs: readonly number[];
  /** A stream that says nothing for this long, not even a heartbeat, is dead. */
  silentMs: number;
  /** How long a break is "reconnecting" before it is "delayed". */
  delayedMs: number;
  /** A hidden tab closes its stream after this time. */
  hiddenMs: number;
}

export const liveTimes: LiveTimes = {
  settleMs: 50,
  retryMs: [250, 1_000, 2_000, 5_000, 10_000],
  silentMs: 40_000,
  delayedMs: 8_000,
  hiddenMs: 60_000,
};

export interface LiveOptions {
  /** Asks for the stream of these topics, from behind `lastEventId`. */
  open: (topics: string[], lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;
  onEvent: (event: SseEvent) => void;
  onStatus: (status: LiveStatus) => void;
  /** The session of the reader is over. */
  onSignedOut: () => void;
  times?: LiveTimes;
}

/**
 * The one event stream of a tab. It carries the union of what its screens watch, reopens when that changes or the stream
 * breaks, and resumes from the last event it saw.
 */
export class LiveConnection {
  readonly #options: LiveOptions;
  readonly #times: LiveTimes;
  readonly #wanted = new Map<string, number>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #status: LiveStatus = { state: 'idle', lastEventAt: undefined };
  #lastEventId: string | undefined;
  #current: { key: string; controller: AbortController } | undefined;
  #failures = 0;
  #byReader = false;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#times = options.times ?? liveTimes;
  }

  get status(): LiveStatus {
    return this.#status;
  }

  /** Watches a topic until the function it gives is called. */
  watch(topic: string): () => void {
    this.#wanted.set(topic, (this.#wanted.get(topic) ?? 0) + 1);
    this.#settle();
    let watching = true;
    return () => {
      if (!watching) return;
      watching = false;
      const left = (this.#wanted.get(topic) ?? 0) - 1;
      if (left > 0) this.#wanted.set(topic, left);
      else this.#wanted.delete(topic);
      this.#settle();
    };
  }

  /** Closes the stream until `resume`, which goes on where it was. */
  pause(): void {
    this.#byReader = true;
    this.#suspend();
  }

  resume(): void {
    this.#byReader = false;
    if (this.#status.state !== 'paused') return;
    this.#set('connecting');
    this.#settle();
  }

  /** Says whether the tab can be seen; one that stays hidden closes its stream, and opens it again when it is seen. */
  setHidden(hidden: boolean): void {
    if (hidden) this.#after('hidden', this.#times.hiddenMs, () => this.#suspend());
    else {
      this.#clear('hidden');
      if (!this.#byReader) this.resume();
    }
  }

  /** Forgets the place in the stream, so that each topic begins with a new snapshot. */
  restart(): void {
    this.#lastEventId = undefined;
    this.#disconnect();
    this.#settle();
  }

  close(): void {
    this.#disconnect();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#set('closed');
  }

  #settle(): void {
    this.#after('settle', this.#times.settleMs, () => this.#sync());
  }

  #sync(): void {
    if (this.#status.state === 'closed') return;
    if (this.#wanted.size === 0) {
      this.#disconnect();
      this.#lastEventId = undefined;
      this.#byReader = false;
      this.#set('idle');
      return;
    }
    if (this.#status.state === 'paused') return;
    const topics = [...this.#wanted.keys()].sort();
    const key = topics.join(' ');
    if (this.#current?.key === key) return;
    this.#disconnect();
    void this.#connect(key, topics);
  }

  async #connect(key: string, topics: string[]): Promise<void> {
    const controller = new AbortController();
    this.#current = { key, controller };
    if (this.#status.state === 'idle') this.#set('connecting');
    this.#listenForSilence(controller);
    let retryAfterMs = 0;
    try {
      const response = await this.#options.open(topics, this.#lastEventId, controller.signal);
      if (controller.signal.aborted) return;
      if (response.status === 401) {
        this.close();
        this.#options.onSignedOut();
        return;
      }
      if (response.ok && response.body) {
        this.#failures = 0;
        this.#clear('delayed');
        this.#set('live');
        await this.#read(response.body, controller);
      } else {
        retryAfterMs = 1_000 * (Number(response.headers.get('retry-after')) || 0);
        // What the API refuses it refuses again in a moment: screens poll meanwhile, and say why themselves.
        if (response.status < 500 && response.status !== 429) {
          this.#set('delayed');
          retryAfterMs ||= this.#times.retryMs.at(-1) ?? 0;
        }
        await response.body?.cancel();
      }
    } catch {
      // A broken stream and an unreachable API are the same to a reader: below, it is tried again.
    }
    if (controller.signal.aborted && controller.signal.reason !== silent) return;
    this.#lost(retryAfterMs);
  }

  async #read(body: ReadableStream<Uint8Array>, controller: AbortController): Promise<void> {
    const parser = createSseParser();
    const decoder = new TextDecoder();
    const reader = body.getReader();
    controller.signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined), { once: true });
    for (;;) {
      const { done, value } = await reader.read();
      if (done || controller.signal.aborted) return;
      this.#listenForSilence(controller);
      for (const event of parser.push(decoder.decode(value, { stream: true }))) {
        if (event.id !== undefined) this.#lastEventId = event.id;
        this.#set(this.#status.state, Date.now());
        this.#options.onEvent(event);
        if (controller.signal.aborted) return;
      }
    }
  }

  #listenForSilence(controller: AbortController): void {
    this.#after('silence', this.#times.silentMs, () => controller.abort(silent));
  }

  #lost(retryAfterMs: number): void {
    this.#current = undefined;
    this.#clear('silence');
    if (this.#status.state !== 'delayed') {
      this.#set('reconnecting');
      if (!this.#timers.has('delayed')) this.#after('delayed', this.#times.delayedMs, () => this.#set('delayed'));
    }
    const { retryMs } = this.#times;
    const wait = retryMs[Math.min(this.#failures, retryMs.length - 1)]!;
    this.#failures += 1;
    // Spread, so that the tabs of all readers do not come back in one moment.
    this.#after('settle', Math.max(retryAfterMs, wait * (0.75 + Math.random() / 2)), () => this.#sync());
  }

  #suspend(): void {
    if (this.#status.state === 'closed' || this.#status.state === 'idle') return;
    this.#disconnect();
    this.#clear('settle');
    this.#clear('delayed');
    this.#set('paused');
  }

  #disconnect(): void {
    this.#clear('silence');
    this.#current?.controller.abort();
    this.#current = undefined;
  }

  #set(state: LiveState, lastEventAt = this.#status.lastEventAt): void {
    if (this.#status.state === 'closed') return;
    if (state === this.#status.state && lastEventAt === this.#status.lastEventAt) return;
    this.#status = { state, lastEventAt };
    this.#options.onStatus(this.#status);
  }

  #after(name: string, ms: number, run: () => void): void {
    this.#clear(name);
    this.#timers.set(
      name,
      setTimeout(() => {
        this.#timers.delete(name);
        run();
      }, ms),
    );
  }

  #clear(name: string): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }
}

const silent = new Error('the stream fell silent');
