import { hash } from 'node:crypto';
import type { UserPrincipal } from '../../common/auth/principal.js';
import { tooMany } from '../../common/errors/app-error.js';
import { isSessionToken } from '../../infra/crypto/index.js';
import { LookupBudget } from './lookup-budget.js';

const SEEN_MAX = 10_000;

export interface SessionLookupsOptions {
  readonly find: (token: string) => Promise<UserPrincipal | undefined>;
  readonly now: () => number;
}

/**
 * Asks for console sessions. Each is a query, since roles and sign-outs count at once; tokens that were no session
 * before are limited by address, as unknown keys are, so that guessing does not take the database from everybody.
 */
export class SessionLookups {
  private readonly seen = new Set<string>();
  private readonly budget: LookupBudget;

  constructor(private readonly options: SessionLookupsOptions) {
    this.budget = new LookupBudget(options.now);
  }

  /** The person of a live session. Throws `rate_limited` when the address has asked for too many that are none. */
  async verify(token: string, address: string): Promise<UserPrincipal | undefined> {
    if (!isSessionToken(token)) return undefined;
    const digest = hash('sha256', token, 'base64');
    if (this.seen.has(digest)) return this.known(token, digest);
    const waitMs = this.budget.waitMs(address);
    if (waitMs > 0) throw tooMany('rate_limited', 'Too many unknown sessions from this address.', waitMs);
    this.budget.spend(address);
    const principal = await this.options.find(token).catch((error) => {
      this.budget.refund(address);
      throw error;
    });
    if (principal === undefined) return undefined;
    this.budget.refund(address);
    if (this.seen.size >= SEEN_MAX) this.seen.delete(this.seen.values().next().value as string);
    this.seen.add(digest);
    return principal;
  }

  private async known(token: string, digest: string): Promise<UserPrincipal | undefined> {
    const principal = await this.options.find(token);
    if (principal === undefined) this.seen.delete(digest);
    return principal;
  }
}
