import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '@gantry/mcp-core';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type {
  AutomationPrincipal,
  EndpointPrincipal,
  KeyPrincipal,
  PlaygroundPrincipal,
  Principal,
} from '../../common/auth/principal.js';
import type { AppConfig } from '../../config/app-config.js';
import { ChangeLogFollower } from '../../infra/changes/change-log-follower.js';
import {
  API_KEY_PREFIX,
  PLAYGROUND_TOKEN_PREFIX,
  PlaygroundTokens,
  parseApiKey,
  SESSION_TOKEN_PREFIX,
  sha256,
} from '../../infra/crypto/index.js';
import { APP_CONFIG, CLOCK, LOGGER, type Log } from '../../infra/tokens.js';
import { ConsoleSessions } from '../members/console-sessions.js';
import { KeyVerifier } from './key-verifier.js';
import { KeysRepository } from './keys.repository.js';
import { SessionLookups } from './session-lookups.js';

const TOUCH_EVERY_MS = 15_000;
const TRUST_CACHE_MS = 1_000;
const automation: AutomationPrincipal = { kind: 'automation', id: 'automation' };

/** Tells who is behind a credential: the admin token, an API key, a console session, or a playground token. */
@Injectable()
export class PrincipalResolver implements OnModuleInit, OnApplicationShutdown {
  private readonly verifier: KeyVerifier;
  private readonly sessions: SessionLookups;
  private readonly adminToken: Uint8Array | undefined;
  private readonly adminLooksLikeKey: boolean;
  private timer: NodeJS.Timeout | undefined;
  private readonly stopFollowing: (() => void)[] = [];

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    @Inject(KeysRepository) private readonly keys: KeysRepository,
    @Inject(ConsoleSessions) sessions: ConsoleSessions,
    @Inject(ChangeLogFollower) private readonly follower: ChangeLogFollower,
    @Inject(PlaygroundTokens) private readonly playground: PlaygroundTokens,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Log,
  ) {
    this.adminToken = config.adminToken === undefined ? undefined : sha256(config.adminToken);
    this.adminLooksLikeKey = config.adminToken?.startsWith(API_KEY_PREFIX) ?? false;
    this.sessions = new SessionLookups({ find: (token) => sessions.verify(token), now: () => clock.now() });
    this.verifier = new KeyVerifier({
      find: (digest) => keys.findByHash(digest),
      isCacheFresh: () => clock.now() - follower.lastGoodReadAt <= TRUST_CACHE_MS,
      mayTrustStale: () => clock.now() - follower.lastGoodReadAt <= config.databaseGraceMs,
      clock,
      isWellFormed: (token) => parseApiKey(token) !== undefined,
    });
  }

  onModuleInit(): void {
    this.stopFollowing.push(
      this.follower.on('key', ({ subject }) => this.verifier.forgetKey(subject)),
      this.follower.on('tenant', ({ tenantId }) => tenantId !== null && this.verifier.forgetTenant(tenantId)),
      this.follower.onLost(() => this.verifier.forgetAll()),
    );
    this.timer = setInterval(() => void this.flushUses(), TOUCH_EVERY_MS);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    for (const stop of this.stopFollowing.splice(0)) stop();
    await this.flushUses();
  }

  /**
   * The principal of an `Authorization` header; undefined for none, for another scheme, and for what is not valid.
   * Throws `rate_limited` when the address has tried too many unknown keys or sessions.
   */
  resolve(authorization: string | undefined, address: string): Principal | undefined | Promise<Principal | undefined> {
    const token = bearerOf(authorization);
    return token === undefined ? undefined : this.holderOf(token, address);
  }

  /** As `resolve`, at an MCP endpoint: there a playground token counts as well, and nowhere else. It costs no look-up. */
  resolveAtEndpoint(
    authorization: string | undefined,
    address: string,
  ): EndpointPrincipal | undefined | Promise<EndpointPrincipal | undefined> {
    const token = bearerOf(authorization);
    if (token === undefined) return undefined;
    if (token.startsWith(PLAYGROUND_TOKEN_PREFIX) && !this.isAdminToken(token)) return this.atPlayground(token);
    return this.holderOf(token, address);
  }

  private holderOf(token: string, address: string): Principal | undefined | Promise<Principal | undefined> {
    // Most callers, and the path that has to be short: one hash, one look-up.
    if (token.startsWith(API_KEY_PREFIX) && !this.adminLooksLikeKey) return this.verifier.lookup(token, address);
    if (this.isAdminToken(token)) return automation;
    if (token.startsWith(SESSION_TOKEN_PREFIX)) return this.sessions.verify(token, address);
    return this.verifier.lookup(token, address);
  }

  private atPlayground(token: string): PlaygroundPrincipal | undefined {
    const grant = this.playground.open(token, this.clock.now());
    if (grant === undefined) return undefined;
    const { expiresAt, ...rest } = grant;
    return { kind: 'playground', ...rest, validUntil: expiresAt };
  }

  /**
   * The principal of an API key, and of nothing else: the hot path of MCP endpoints. Without a promise when it is in
   * memory. Throws `rate_limited` like `resolve`.
   */
  lookup(token: string, address: string): KeyPrincipal | undefined | Promise<KeyPrincipal | undefined> {
    return this.verifier.lookup(token, address);
  }

  private isAdminToken(token: string): boolean {
    return this.adminToken !== undefined && timingSafeEqual(sha256(token), this.adminToken);
  }

  /** Writes the last uses of keys that are not written yet; happens by itself every 15 s and at shutdown. */
  async flushUses(): Promise<void> {
    const uses = this.verifier.takeUses();
    if (uses.size === 0) return;
    try {
      await this.keys.touch(uses);
    } catch (err) {
      this.log.warn({ err, keys: uses.size }, 'last uses of keys were not stored');
    }
  }
}

/** The token of a bearer credential (RFC 6750 section 2.1); undefined for anything else. */
export function bearerOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length > 8_192) return undefined;
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1];
}
