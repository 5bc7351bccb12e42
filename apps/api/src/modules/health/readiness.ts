import type { Clock } from '@gantry/mcp-core';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { AppConfig } from '../../config/app-config.js';
import { ChangeLogFollower } from '../../infra/changes/change-log-follower.js';
import { Metrics } from '../../infra/telemetry/metrics.js';
import { APP_CONFIG, CLOCK } from '../../infra/tokens.js';
import { JobsRuntime } from '../jobs/jobs-runtime.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { NodeSelf } from '../nodes/node-self.js';

/** Over this, the change log counts as unread: caches may be stale. */
const CHANGE_LOG_LATE_MS = 5_000;

export interface DependencyState {
  readonly ok: boolean;
  readonly detail?: string;
}

/** A dependency, and whether this node can do without it for now. */
interface Dependency extends DependencyState {
  readonly spared?: boolean;
}

export interface ReadinessState {
  readonly status: 'ready' | 'degraded' | 'not_ready';
  readonly dependencies: Record<string, DependencyState>;
}

/**
 * Whether this node should get traffic. Without Redis it serves what needs no session, and for a while it serves from
 * memory without Postgres: every other node is as badly off, so taking this one out would only make it worse.
 */
@Injectable()
export class Readiness implements OnModuleInit {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ChangeLogFollower) private readonly follower: ChangeLogFollower,
    @Inject(NodeRegistry) private readonly registry: NodeRegistry,
    @Inject(NodeSelf) private readonly self: NodeSelf,
    @Inject(JobsRuntime) private readonly jobs: Pick<JobsRuntime, 'taking'>,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('postgres_up', 'Whether the change log in Postgres can be read', () =>
      Number(this.postgres().ok),
    );
    if (this.registry.shared() === undefined) return;
    this.metrics.gauge('redis_up', 'Whether Redis answers', () => Number(this.registry.shared()?.ok ?? false));
  }

  /** From here on this node is not ready: it is about to stop. */
  drain(): void {
    this.self.stop();
  }

  state(): ReadinessState {
    const all = new Map<string, Dependency>([['postgres', this.postgres()]]);
    const shared = this.registry.shared();
    if (shared !== undefined) all.set('redis', { ...shared, spared: true });
    const { taking } = this.jobs;
    // What a worker is there for; a node that serves clients as well does that without.
    if (taking !== undefined && this.config.role === 'worker') {
      all.set('queue', taking ? { ok: true } : { ok: false, detail: 'this worker takes no jobs at the moment' });
    }
    if (this.self.stopping) all.set('shutdown', { ok: false, detail: 'this node is stopping' });
    else if (this.self.draining) all.set('drain', { ok: false, detail: 'this node is being drained' });
    const faults = [...all.values()].filter(({ ok }) => !ok);
    const status = faults.length === 0 ? 'ready' : faults.every(({ spared }) => spared) ? 'degraded' : 'not_ready';
    const shown = [...all].map(([name, { ok, detail }]) => [name, { ok, ...(detail === undefined ? {} : { detail }) }]);
    return { status, dependencies: Object.fromEntries(shown) };
  }

  /** The change log is read twice a second, so it tells about Postgres as well. */
  private postgres(): Dependency {
    const ageMs = this.clock.now() - this.follower.lastGoodReadAt;
    if (ageMs <= CHANGE_LOG_LATE_MS) return { ok: true };
    const since = Number.isFinite(ageMs) ? `for ${Math.round(ageMs / 1_000)} s` : 'yet';
    const detail = `the change log could not be read ${since}`;
    const leftMs = this.config.databaseGraceMs - ageMs;
    if (leftMs <= 0) return { ok: false, detail };
    const left = Math.ceil(leftMs / 1_000);
    return { ok: false, detail: `${detail}; known servers and keys are served for ${left} s more`, spared: true };
  }
}
