import type { SignedIn, setupBodySchema } from '@gantry/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { conflict, unauthenticated } from '../../common/errors/app-error.js';
import type { AppConfig } from '../../config/app-config.js';
import { equalSecrets, hashPassword } from '../../infra/crypto/index.js';
import { APP_CONFIG } from '../../infra/tokens.js';
import { Mutations } from '../audit/mutations.js';
import { AttemptLimiter } from './attempt-limiter.js';
import { ConsoleSessions } from './console-sessions.js';
import { PeopleRepository } from './people.repository.js';
import { unlessBusy } from './unless-busy.js';

const ATTEMPTS = 10;
const WINDOW_MS = 60_000;
const DONE = 'Gantry is set up already. Sign in instead.';

/** The first operator, made once, by whoever holds the admin token. */
@Injectable()
export class SetupService {
  private readonly addresses = new AttemptLimiter(ATTEMPTS, WINDOW_MS, 'rate_limited');

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(PeopleRepository) private readonly people: PeopleRepository,
    @Inject(ConsoleSessions) private readonly sessions: ConsoleSessions,
    @Inject(Mutations) private readonly mutations: Mutations,
  ) {}

  async needed(): Promise<boolean> {
    return !(await this.people.anybodyYet());
  }

  /**
   * Makes the first operator and signs them in. Tenants that automation made before have no owner yet; who holds the
   * admin token may do what an owner may, so they become this person's.
   * Throws `conflict` once anybody exists.
   */
  async setUp(body: z.infer<typeof setupBodySchema>, from: { requestId: string; address: string }): Promise<SignedIn> {
    if (!(await this.needed())) throw conflict(DONE);
    this.addresses.take(from.address);
    this.requireAdminToken(body.adminToken);
    this.addresses.clear(from.address);
    const passwordHash = await unlessBusy(hashPassword(body.password));
    const author = { principal: { kind: 'automation', id: 'automation' } as const, requestId: from.requestId };
    return this.mutations.onPlatform(author, async ({ tx, record }) => {
      await this.people.lockSetup(tx);
      if (await this.people.anybody(tx)) throw conflict(DONE);
      const email = body.email.toLowerCase();
      const { id } = await this.people.createOperator(tx, { email, name: body.name, passwordHash });
      await record({ action: 'user.setup', object: `user/${id}`, tenantId: null, detail: { email }, changes: [] });
      for (const tenant of await this.people.adoptOwnerless(tx, id)) {
        const detail = { user: id, role: 'owner' };
        await record({ action: 'member.add', object: `user/${id}`, tenantId: tenant.id, detail, changes: [] });
      }
      return this.sessions.open(tx, id);
    });
  }

  private requireAdminToken(given: string): void {
    const { adminToken } = this.config;
    if (adminToken === undefined) throw unauthenticated('There is no admin token: set GANTRY_ADMIN_TOKEN and restart.');
    if (!equalSecrets(given, adminToken)) throw unauthenticated('This is not the admin token.');
  }
}
