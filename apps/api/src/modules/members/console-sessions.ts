import { Inject, Injectable } from '@nestjs/common';
import type { UserPrincipal } from '../../common/auth/principal.js';
import { mintSessionToken, sha256 } from '../../infra/crypto/index.js';
import type { Tx } from '../../infra/prisma/database.js';
import { PeopleRepository } from './people.repository.js';

/** How long a console session lives after sign-in, in milliseconds. */
export const SESSION_TTL_MS = 12 * 3_600_000;

/** Console sessions: a 256-bit token, of which only the SHA-256 is stored. */
@Injectable()
export class ConsoleSessions {
  constructor(@Inject(PeopleRepository) private readonly people: PeopleRepository) {}

  /** Opens a session within the caller's transaction. The token is shown this once. */
  async open(tx: Tx, userId: string): Promise<{ token: string; expiresAt: string }> {
    const token = mintSessionToken();
    const expiresAt = new Date(Date.now() + SESSION_TTL_MS);
    await this.people.openSession(tx, userId, sha256(token), expiresAt);
    return { token, expiresAt: expiresAt.toISOString() };
  }

  /** The person behind a token, with the roles they have now; undefined for no live session. */
  async verify(token: string): Promise<UserPrincipal | undefined> {
    const row = await this.people.findSession(sha256(token), new Date());
    if (row === null) return undefined;
    const { user } = row;
    return {
      kind: 'user',
      id: user.id,
      sessionId: row.id,
      email: user.email,
      name: user.name,
      platformRole: user.platformRole ?? undefined,
      memberships: new Map(user.memberships.map(({ tenantId, role, tenant }) => [tenantId, { ...tenant, role }])),
    };
  }
}
