import { hash } from 'node:crypto';
import type { Scope } from '@gantry/contracts';
import { type Clock, systemClock } from '@gantry/mcp-core';
import type { KeyPrincipal } from '../../common/auth/principal.js';
import { AppError, tooMany } from '../../common/errors/app-error.js';
import type { KeyMatch } from './keys.repository.js';
import { LookupBudget } from './lookup-budget.js';

const KNOWN_MAX = 50_000;
const UNKNOWN_MAX = 10_000;
const UNKNOWN_TTL_MS = 10_000;
/** A caller with a key that was known waits no longer for a database that may be away. */
const PATIENCE_MS = 1_000;
/** For so long a database that was away is not asked for keys that were known. */
const AWAY_MS = 1_000;

export interface KeyVerifierOptions {
  readonly find: (sha256: Uint8Array<ArrayBuffer>) => Promise<KeyMatch | null>;
  /** True while the change log was read within the last second: only then may a cached key be trusted. */
  readonly isCacheFresh: () => boolean;
  /** False for what cannot be a key of ours: it is refused without a look-up. */
  readonly isWellFormed: (token: string) => boolean;
  /** True while the database may be away without valid keys being refused: then a key known before goes on. */
  readonly mayTrustStale: () => boolean;
  readonly clock?: Clock;
}

/**
 * Tells which key a token is. A known key costs one SHA-256 and one map look-up; an unknown one a query, which is
 * limited by address and remembered for some seconds. Revocations drop entries by `forget…`; a look-up that began
 * before a drop is not kept.
 */
export class KeyVerifier {
  private readonly known = new Map<string, KeyPrincipal>();
  private readonly unknown = new Map<string, number>();
  private readonly hashesOfKey = new Map<string, Set<string>>();
  private readonly loading = new Map<string, Promise<KeyPrincipal | undefined>>();
  private readonly budget: LookupBudget;
  private readonly uses = new Map<string, number>();
  private readonly clock: Clock;
  private epoch = 0;
  private askAgainAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: KeyVerifierOptions) {
    this.clock = options.clock ?? systemClock;
    this.budget = new LookupBudget(() => this.now());
  }

  /**
   * The principal of a valid key, undefined for anything else; without a promise when the answer is in memory.
   * Throws `rate_limited` when the address has asked for too many unknown keys.
   */
  lookup(token: string, address: string): KeyPrincipal | undefined | Promise<KeyPrincipal | undefined> {
    const digest = hash('sha256', token, 'base64');
    const principal = this.known.get(digest);
    if (principal !== undefined && (this.options.isCacheFresh() || this.isAway())) return this.use(principal);
    if (principal === undefined) {
      if (!this.options.isWellFormed(token)) return undefined;
      const until = this.unknown.get(digest);
      if (until !== undefined && until > this.now() && this.options.isCacheFresh()) return undefined;
      const waitMs = this.budget.waitMs(address);
      if (waitMs > 0) throw tooMany('rate_limited', 'Too many unknown keys from this address.', waitMs);
    }
    return this.loading.get(digest) ?? this.load(digest, principal ?? { payer: address });
  }

  /** Forgets every value of a key. */
  forgetKey(keyId: string): void {
    this.startOver();
    for (const digest of this.hashesOfKey.get(keyId) ?? []) this.known.delete(digest);
    this.hashesOfKey.delete(keyId);
  }

  /** Forgets everything: changes may have been missed. */
  forgetAll(): void {
    this.known.clear();
    this.hashesOfKey.clear();
    this.startOver();
  }

  /** Forgets every key of a tenant. */
  forgetTenant(tenantId: string): void {
    this.startOver();
    for (const [digest, principal] of this.known) {
      if (principal.tenantId !== tenantId) continue;
      this.known.delete(digest);
      this.hashesOfKey.delete(principal.id);
    }
  }

  /** Last uses since the last call, in milliseconds since the epoch by key id. */
  takeUses(): ReadonlyMap<string, number> {
    const taken = new Map(this.uses);
    this.uses.clear();
    return taken;
  }

  private now(): number {
    return this.clock.now();
  }

  /** The database was away a moment ago, and keys go on without it. */
  private isAway(): boolean {
    return this.now() < this.askAgainAt && this.options.mayTrustStale();
  }

  private startOver(): void {
    this.epoch += 1;
    this.unknown.clear();
    this.loading.clear();
  }

  private use(principal: KeyPrincipal): KeyPrincipal | undefined {
    const now = this.now();
    if (principal.validUntil !== undefined && principal.validUntil <= now) return undefined;
    this.uses.set(principal.id, now);
    return principal;
  }

  /** A look-up of an unknown key is taken from the payer's budget, before it is known to be one. */
  private load(digest: string, known: KeyPrincipal | { payer: string }): Promise<KeyPrincipal | undefined> {
    const epoch = this.epoch;
    const payer = 'payer' in known ? known.payer : undefined;
    if (payer !== undefined) this.budget.spend(payer);
    const found = this.options.find(new Uint8Array(Buffer.from(digest, 'base64'))).then((match) => {
      const principal = match === null ? undefined : principalOf(match);
      if (principal !== undefined && payer !== undefined) this.budget.refund(payer);
      if (epoch === this.epoch) this.keep(digest, principal);
      return principal;
    });
    const promise: Promise<KeyPrincipal | undefined> = ('payer' in known ? found : this.inTime(found))
      .then((principal) => principal && this.use(principal))
      .catch((error) => {
        if (payer !== undefined) this.budget.refund(payer);
        if ('payer' in known || epoch !== this.epoch || !this.options.mayTrustStale()) throw error;
        this.askAgainAt = this.now() + AWAY_MS;
        return this.use(known);
      })
      .finally(() => {
        if (this.loading.get(digest) === promise) this.loading.delete(digest);
      });
    this.loading.set(digest, promise);
    return promise;
  }

  private inTime<T>(found: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = this.clock.setTimer(PATIENCE_MS, () => {
        reject(
          new AppError('unavailable', 'The database is busy or away. Try again.', { logged: 'no answer about a key' }),
        );
      });
      found.then(resolve, reject).finally(() => timer.cancel());
    });
  }

  private keep(digest: string, principal: KeyPrincipal | undefined): void {
    if (principal === undefined) {
      const gone = this.known.get(digest);
      if (gone !== undefined) {
        this.known.delete(digest);
        this.hashesOfKey.get(gone.id)?.delete(digest);
      }
      if (this.unknown.size >= UNKNOWN_MAX) this.unknown.delete(this.unknown.keys().next().value as string);
      this.unknown.set(digest, this.now() + UNKNOWN_TTL_MS);
      return;
    }
    if (this.known.size >= KNOWN_MAX) this.evictOldest();
    this.known.set(digest, principal);
    const hashes = this.hashesOfKey.get(principal.id) ?? new Set();
    this.hashesOfKey.set(principal.id, hashes.add(digest));
  }

  private evictOldest(): void {
    const oldest = this.known.entries().next().value;
    if (oldest === undefined) return;
    const [digest, principal] = oldest;
    this.known.delete(digest);
    const hashes = this.hashesOfKey.get(principal.id);
    hashes?.delete(digest);
    if (hashes?.size === 0) this.hashesOfKey.delete(principal.id);
  }
}

function principalOf({ key, validUntil }: KeyMatch): KeyPrincipal | undefined {
  if (key.revokedAt !== null) return undefined;
  const ends = [validUntil, key.expiresAt].filter((end) => end !== null).map((end) => end.getTime());
  return {
    kind: 'key',
    id: key.id,
    name: key.name,
    tenantId: key.tenantId,
    tenantSlug: key.tenant.slug,
    scopes: key.scopes as readonly Scope[],
    servers: key.servers,
    validUntil: ends.length === 0 ? undefined : Math.min(...ends),
  };
}
