import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { GantryNode } from '@gantry/contracts';
import type { Clock } from '@gantry/mcp-core';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '../../config/app-config.js';
import { APP_CONFIG, CLOCK, NODE_ID } from '../../infra/tokens.js';

/** What a node holds open; told by whoever serves clients. */
export interface NodeLoad {
  readonly sessions: number;
  readonly streams: number;
  readonly listens: number;
  readonly inFlight: number;
}

/** What a node says of itself. */
export type NodeFacts = Omit<GantryNode, 'id' | 'state' | 'lastSeenAt' | 'goneAt' | 'answering'> & {
  readonly state: 'ready' | 'draining';
};

const IDLE: NodeLoad = { sessions: 0, streams: 0, listens: 0, inFlight: 0 };
const LAG_RESOLUTION_MS = 20;
const LAG_WINDOW_MS = 10_000;

/** This node: what it is, how it is, and whether it is being emptied. */
@Injectable()
export class NodeSelf implements OnApplicationShutdown {
  readonly startedAt: number;
  private readonly lag: IntervalHistogram;
  private lagSince: number;
  private load: () => NodeLoad = () => IDLE;
  private readonly drainListeners = new Set<(drained: boolean) => void>();
  private drained = false;
  private ending = false;
  private skewMs: number | undefined;

  constructor(
    @Inject(NODE_ID) readonly id: string,
    @Inject(APP_CONFIG) private readonly config: Pick<AppConfig, 'role' | 'version' | 'nodeUrl'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.startedAt = clock.now();
    this.lagSince = this.startedAt;
    this.lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
    this.lag.enable();
  }

  onApplicationShutdown(): void {
    this.lag.disable();
  }

  /** Tells how the node's load is read, from memory: it is asked once a second. */
  reports(load: () => NodeLoad): void {
    this.load = load;
  }

  /** Told `true` when the node is to be emptied, by hand or because it stops, and `false` when that is over. */
  onDrain(listener: (drained: boolean) => void): () => void {
    this.drainListeners.add(listener);
    return () => void this.drainListeners.delete(listener);
  }

  get draining(): boolean {
    return this.drained || this.ending;
  }

  /** From here on it does not come back. */
  get stopping(): boolean {
    return this.ending;
  }

  /** Not ready, and whom another node can serve is sent away, and no new stream taken; requests are served. */
  drain(): void {
    this.turn(true);
  }

  undrain(): void {
    this.turn(false);
  }

  private turn(drained: boolean): void {
    this.drained = drained;
    for (const listener of [...this.drainListeners]) listener(drained);
  }

  /** The process is about to end. */
  stop(): void {
    this.ending = true;
  }

  /** How far this machine's clock is ahead of the one all nodes share. */
  set clockSkewMs(ms: number) {
    this.skewMs = ms;
  }

  facts(): NodeFacts {
    const { role, version, nodeUrl } = this.config;
    const { heapUsed, rss } = process.memoryUsage();
    return {
      role,
      version,
      url: nodeUrl,
      startedAt: new Date(this.startedAt).toISOString(),
      state: this.draining ? 'draining' : 'ready',
      ...this.load(),
      heapBytes: heapUsed,
      rssBytes: rss,
      eventLoopLagMs: this.lagMs(),
      ...(this.skewMs === undefined ? {} : { clockSkewMs: this.skewMs }),
    };
  }

  /** The 99th percentile of how late timers came, within the last seconds. */
  private lagMs(): number {
    const late = Math.max(0, this.lag.percentile(99) / 1e6 - LAG_RESOLUTION_MS);
    const now = this.clock.now();
    if (now - this.lagSince >= LAG_WINDOW_MS) {
      this.lagSince = now;
      this.lag.reset();
    }
    return Math.round(late * 10) / 10;
  }
}
