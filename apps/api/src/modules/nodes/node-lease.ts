import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock, Timer } from '@gantry/mcp-core';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '../../config/app-config.js';
import type { Log } from '../../infra/tokens.js';
import { BEAT_MS, LeaseTakenError, LONE_LEASE, LOOK_MS, livingHolder, SHARED_MARK, STALE_MS } from './living-holder.js';
import { NodeClaim } from './node-claim.js';
import type { NodeLeaseRepository } from './node-lease.repository.js';

/**
 * Without Redis one node may run on a database. Its lease lives as long as it beats; a second node waits just long
 * enough to tell a living holder from one that was killed.
 */
export class NodeLease extends NodeClaim implements OnApplicationShutdown {
  private readonly holder = randomUUID();
  private timer: Timer | undefined;
  private lost: (() => void) | undefined;
  private held = false;

  constructor(
    private readonly leases: NodeLeaseRepository,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
  }

  /**
   * Takes the lease and keeps it until shutdown. `onLost` is called once if another node took it, because this one's
   * heart stopped for longer than a lease lives.
   * @throws LeaseTakenError when a living node holds it, or living nodes share the database over a Redis
   */
  async acquire(onLost: () => void): Promise<void> {
    const detail = `pid ${process.pid} on ${hostname()}, ${this.config.publicUrl}`;
    // Who owns the Postgres process has locked its folder: a lease in it can only be a dead node's.
    const staleMs = this.config.embedded ? 0 : STALE_MS;
    let seen: { holder: string; ageMs: number } | undefined;
    while (!(await this.leases.take(LONE_LEASE, this.holder, detail, staleMs))) {
      const other = await this.leases.holder(LONE_LEASE);
      if (other === undefined) continue;
      if (seen !== undefined && (other.holder !== seen.holder || other.ageMs < seen.ageMs)) {
        throw new LeaseTakenError(`another node runs on this database (${other.detail}); stop it first`);
      }
      seen = other;
      await new Promise<void>((resolve) => this.clock.setTimer(LOOK_MS, resolve));
    }
    this.held = true;
    this.lost = onLost;
    this.schedule();
    if (!this.config.embedded) await this.requireNoSharedNodes();
  }

  private async requireNoSharedNodes(): Promise<void> {
    const other = await livingHolder(this.leases, SHARED_MARK, this.clock);
    if (other === undefined) return;
    const found = `nodes with REDIS_URL run on this database (${other.detail})`;
    throw new LeaseTakenError(`REDIS_URL: ${found}; set REDIS_URL, or stop them`);
  }

  async onApplicationShutdown(): Promise<void> {
    this.timer?.cancel();
    this.lost = undefined;
    if (!this.held) return;
    this.held = false;
    await this.leases
      .release(LONE_LEASE, this.holder)
      .catch((err) => this.log.warn({ err }, 'the lease was not released'));
  }

  private schedule(): void {
    this.timer = this.clock.setTimer(BEAT_MS, () => void this.beat());
  }

  private async beat(): Promise<void> {
    try {
      if (!(await this.leases.beat(LONE_LEASE, this.holder)) && this.held) {
        this.held = false;
        this.log.error({}, 'another node took the lease of this database');
        this.lost?.();
        return;
      }
    } catch (err) {
      this.log.warn({ err }, 'the lease could not be renewed');
    }
    if (this.held) this.schedule();
  }
}
