import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock, Timer } from '@gantry/mcp-core';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '../../config/app-config.js';
import type { Log } from '../../infra/tokens.js';
import { BEAT_MS, LeaseTakenError, LONE_LEASE, livingHolder, SHARED_MARK } from './living-holder.js';
import { NodeClaim } from './node-claim.js';
import type { NodeLeaseRepository } from './node-lease.repository.js';

/**
 * Nodes that share a Redis share the database too. They keep one mark in it, so that a node without Redis does not start
 * beside them: it would neither know their sessions nor hear what they tell each other. The mark goes stale by itself.
 */
export class SharedClaim extends NodeClaim implements OnApplicationShutdown {
  private readonly holder = randomUUID();
  private timer: Timer | undefined;
  private stopped = false;
  private failing = false;

  constructor(
    private readonly leases: NodeLeaseRepository,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
  }

  /** @throws LeaseTakenError when a living node without Redis holds the database alone */
  async acquire(): Promise<void> {
    // Marked first, looked second, as a lone node does: of two that start at once at least one sees the other.
    await this.mark();
    this.schedule();
    // Who owns the Postgres process has locked its folder: a lease in it can only be a dead node's.
    if (this.config.embedded) return;
    const lone = await livingHolder(this.leases, LONE_LEASE, this.clock);
    if (lone === undefined) return;
    await this.onApplicationShutdown();
    await this.leases.release(SHARED_MARK, this.holder);
    const detail = `a node without REDIS_URL runs on this database (${lone.detail})`;
    throw new LeaseTakenError(`REDIS_URL: ${detail}; stop it first`);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.timer?.cancel();
  }

  private async mark(): Promise<void> {
    const detail = `pid ${process.pid} on ${hostname()}, ${this.config.nodeUrl}`;
    await this.leases.take(SHARED_MARK, this.holder, detail, 0);
  }

  private schedule(): void {
    if (this.stopped) return;
    this.timer = this.clock.setTimer(BEAT_MS, () => void this.beat());
  }

  private async beat(): Promise<void> {
    try {
      await this.mark();
      this.failing = false;
    } catch (err) {
      if (!this.failing) this.log.warn({ err }, 'the mark of nodes with Redis could not be renewed');
      this.failing = true;
    }
    this.schedule();
  }
}
