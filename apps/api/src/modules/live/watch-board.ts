import type { Clock, Timer } from '@gantry/mcp-core';
import type { NodeChannel } from '../../infra/nodes/node-channel.js';

const WATCH = 'live.watch';
const HINT = 'live.hint';
/** A watch is over this long after it was said last; it is said anew well before that. */
const WATCH_MS = 30_000;
const RENEW_MS = 10_000;
/** What happens within this time goes out as one message. */
const COLLECT_MS = 100;
/** Changes of one matter in one message; more are counted. */
const ITEMS_MAX = 200;

/** What has changed of a matter: by id, with what its source has to say about it. */
export interface Hints {
  readonly items: ReadonlyMap<string, unknown>;
  /** How many changes there were, also of the same id. */
  readonly count: number;
  /** There were too many to name them all. */
  readonly overflow: boolean;
}

interface Gathering {
  readonly items: Map<string, unknown>;
  count: number;
  overflow: boolean;
}

interface WireHint {
  readonly key: string;
  readonly items: readonly (readonly [string, unknown])[];
  readonly count: number;
  readonly overflow: boolean;
}

/**
 * Tells whoever watches a matter, here or on other nodes, that something of it has changed. Nodes say what they watch, so
 * that a matter nobody looks at costs one look into a map.
 */
export class WatchBoard {
  private readonly here = new Map<string, Set<(hints: Hints) => void>>();
  /** Nodes that watch, by matter, with the time when that is over. */
  private readonly others = new Map<string, Map<string, number>>();
  private readonly pending = new Map<string, Gathering>();
  private readonly watchedListeners = new Set<(key: string) => void>();
  private readonly stops: readonly (() => void)[];
  private renewal: Timer | undefined;
  private flush: Timer | undefined;

  constructor(
    private readonly channel: NodeChannel,
    private readonly clock: Clock,
  ) {
    this.stops = [
      channel.on(WATCH, (body, from) => this.watchedElsewhere(JSON.parse(body) as string[], from)),
      channel.on(HINT, (body) => this.heard(JSON.parse(body) as WireHint)),
      channel.onGap(() => this.announce([...this.here.keys()])),
    ];
  }

  /** Hears of changes of a matter until the function it gives is called. */
  watch(key: string, listener: (hints: Hints) => void): () => void {
    const listeners = this.here.get(key) ?? new Set();
    this.here.set(key, listeners.add(listener));
    if (listeners.size === 1) this.announce([key]);
    for (const tell of this.watchedListeners) tell(key);
    this.renewal ??= this.clock.setTimer(RENEW_MS, () => this.renew());
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.here.get(key) === listeners) this.here.delete(key);
    };
  }

  /** Nobody watches anything, as far as is known: then nothing need be told. */
  get idle(): boolean {
    return this.here.size === 0 && this.others.size === 0;
  }

  isWatched(key: string): boolean {
    if (this.here.has(key)) return true;
    const nodes = this.others.get(key);
    if (nodes === undefined) return false;
    const now = this.clock.now();
    for (const [node, until] of nodes) if (until <= now) nodes.delete(node);
    if (nodes.size === 0) this.others.delete(key);
    return nodes.size > 0;
  }

  /** Told of each matter when somebody begins to watch it, and again while they go on. */
  onWatched(listener: (key: string) => void): void {
    this.watchedListeners.add(listener);
  }

  /** Something has changed. What was said of the same id before and has not gone out is replaced. */
  hint(key: string, id: string, value?: unknown): void {
    if (!this.isWatched(key)) return;
    const gathering = this.pending.get(key) ?? { items: new Map(), count: 0, overflow: false };
    this.pending.set(key, gathering);
    gathering.count += 1;
    if (gathering.items.size < ITEMS_MAX || gathering.items.has(id)) gathering.items.set(id, value);
    else gathering.overflow = true;
    this.flush ??= this.clock.setTimer(COLLECT_MS, () => this.send());
  }

  close(): void {
    for (const stop of this.stops) stop();
    this.renewal?.cancel();
    this.flush?.cancel();
    this.here.clear();
  }

  private send(): void {
    this.flush = undefined;
    for (const [key, { items, count, overflow }] of this.pending) {
      this.tell(key, { items, count, overflow });
      const nodes = [...(this.others.get(key)?.keys() ?? [])];
      if (nodes.length === 0) continue;
      const body = JSON.stringify({ key, items: [...items], count, overflow } satisfies WireHint);
      for (const node of nodes) this.channel.send(node, HINT, body);
    }
    this.pending.clear();
  }

  private heard({ key, items, count, overflow }: WireHint): void {
    this.tell(key, { items: new Map(items), count, overflow });
  }

  private tell(key: string, hints: Hints): void {
    for (const listener of [...(this.here.get(key) ?? [])]) listener(hints);
  }

  private watchedElsewhere(keys: readonly string[], node: string): void {
    const until = this.clock.now() + WATCH_MS;
    for (const key of keys) {
      const nodes = this.others.get(key) ?? new Map<string, number>();
      this.others.set(key, nodes.set(node, until));
      for (const tell of this.watchedListeners) tell(key);
    }
  }

  private renew(): void {
    this.renewal = undefined;
    const keys = [...this.here.keys()];
    for (const key of [...this.others.keys()]) this.isWatched(key);
    if (keys.length === 0 && this.others.size === 0) return;
    this.announce(keys);
    this.renewal = this.clock.setTimer(RENEW_MS, () => this.renew());
  }

  /** In parts, since a node may watch many matters. */
  private announce(keys: readonly string[]): void {
    for (let start = 0; start < keys.length; start += 500) {
      this.channel.broadcast(WATCH, JSON.stringify(keys.slice(start, start + 500)));
    }
  }
}
