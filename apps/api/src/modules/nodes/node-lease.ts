import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock, Timer } from '@gantry/mcp-core';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '../../config/app-config.js';
import type { Log } from '../../infra/tokens.js';
import { NodeClaim } from './node-claim.js';
import type { NodeLeaseRepository } from './node-lease.repository.js';

const LEASE = 'single-node';
const BEAT_MS = 2_500;
const STALE_MS = 10_000;
const LOOK_MS = 500;

/** Another node runs on the database: one line for whoever started this one. */
export class LeaseTakenError extends Error {}

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
   * @throws LeaseTakenError when a living node holds it.
   */
  async acquire(onLost: () => void): Promise<void> {
    const detail = `pid ${process.pid} on ${hostname()}, ${this.config.publicUrl}`;
    // Who owns the Postgres process has locked its folder: a lease in it can only be a dead node's.
    const staleMs = this.config.embedded ? 0 : STALE_MS;
    let seen: { holder: string; ageMs: number } | undefined;
    while (!(await this.leases.take(LEASE, this.holder, detail, staleMs))) {
      const other = await this.leases.holder(LEASE);
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
  }

  async onApplicationShutdown(): Promise<void> {
    this.timer?.cancel();
    this.lost = undefined;
    if (!this.held) return;
    this.held = false;
    await this.leases.release(LEASE, this.holder).catch((err) => this.log.warn({ err }, 'the lease was not released'));
  }

  private schedule(): void {
    this.timer = this.clock.setTimer(BEAT_MS, () => void this.beat());
  }

  private async beat(): Promise<void> {
    try {
      if (!(await this.leases.beat(LEASE, this.holder)) && this.held) {
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
