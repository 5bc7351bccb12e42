import type { Clock } from '@gantry/mcp-core';
import { Inject, Injectable } from '@nestjs/common';
import { ChangeLogFollower } from '../../infra/changes/change-log-follower.js';
import { CLOCK } from '../../infra/tokens.js';

/** Over this, the change log counts as unread: caches may be stale. */
const CHANGE_LOG_LATE_MS = 5_000;

export interface DependencyState {
  readonly ok: boolean;
  readonly detail?: string;
}

/** Whether this node should get traffic. The change log is read twice a second, so it tells about Postgres as well. */
@Injectable()
export class Readiness {
  private draining = false;
  private readonly probes = new Map<string, () => DependencyState>();

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ChangeLogFollower) private readonly follower: ChangeLogFollower,
  ) {}

  /** Adds a dependency to what readiness depends on. `probe` answers from memory. */
  add(name: string, probe: () => DependencyState): void {
    this.probes.set(name, probe);
  }

  /** From here on this node is not ready: it is about to stop. */
  drain(): void {
    this.draining = true;
  }

  state(): { ready: boolean; dependencies: Record<string, DependencyState> } {
    const dependencies: Record<string, DependencyState> = { postgres: this.postgres() };
    for (const [name, probe] of this.probes) dependencies[name] = probe();
    if (this.draining) dependencies.shutdown = { ok: false, detail: 'this node is stopping' };
    return { ready: Object.values(dependencies).every(({ ok }) => ok), dependencies };
  }

  private postgres(): DependencyState {
    const ageMs = this.clock.now() - this.follower.lastGoodReadAt;
    if (ageMs <= CHANGE_LOG_LATE_MS) return { ok: true };
    const since = Number.isFinite(ageMs) ? `for ${Math.round(ageMs / 1_000)} s` : 'yet';
    return { ok: false, detail: `the change log could not be read ${since}` };
  }
}
