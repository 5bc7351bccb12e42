import type { MemberRole, PlatformRole } from '@gantry/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../infra/prisma/database.js';

type Hash = Uint8Array<ArrayBuffer>;

export interface SignInRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  /** Attempts since the last that was right, this one included. */
  readonly attempts: number;
}

export interface SessionRow {
  readonly id: string;
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly platformRole: PlatformRole | null;
    readonly memberships: readonly {
      readonly tenantId: string;
      readonly role: MemberRole;
      readonly tenant: { readonly slug: string; readonly name: string };
    }[];
  };
}

/** People, their sign-in state and their console sessions: platform matters, seen by no tenant. */
@Injectable()
export class PeopleRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  anybody(tx: Tx): Promise<boolean> {
    return tx.user.findFirst({ select: { id: true } }).then((row) => row !== null);
  }

  anybodyYet(): Promise<boolean> {
    return this.database.forPlatform().transaction((tx) => this.anybody(tx));
  }

  /** Held until the transaction ends: of two first set-ups one waits and finds the other's operator. */
  async lockSetup(tx: Tx): Promise<void> {
    await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtext('gantry.setup'))::text`;
  }

  createOperator(tx: Tx, person: { email: string; name: string; passwordHash: string }): Promise<{ id: string }> {
    return tx.user.create({ data: { ...person, platformRole: 'operator' }, select: { id: true } });
  }

  /** Makes a person the owner of every tenant that has none, and gives their slugs and ids. */
  async adoptOwnerless(tx: Tx, userId: string): Promise<{ id: string; slug: string }[]> {
    const ownerless = await tx.tenant.findMany({
      where: { memberships: { none: { role: 'owner' } } },
      select: { id: true, slug: true },
    });
    await tx.membership.createMany({
      data: ownerless.map(({ id }) => ({ tenantId: id, userId, role: 'owner' as const })),
    });
    return ownerless;
  }

  /**
   * Counts an attempt before it is judged, so that many at once cannot slip past the bound; the last one locks the
   * person out for `lockMs` at once, so that one that is never judged leaves a lock that ends. Undefined when nobody
   * has this address; `until` is set while the person is locked out, and then nothing is counted.
   */
  async beginAttempt(
    email: string,
    now: Date,
    bound: number,
    lockMs: number,
  ): Promise<SignInRow | { until: Date } | undefined> {
    const until = new Date(now.getTime() + lockMs);
    return this.database.forPlatform().transaction(async (tx) => {
      await tx.user.updateMany({
        where: { email, lockedUntil: { lte: now } },
        data: { failedAttempts: 0, lockedUntil: null },
      });
      const { count } = await tx.user.updateMany({
        where: { email, lockedUntil: null, failedAttempts: { lt: bound } },
        data: { failedAttempts: { increment: 1 } },
      });
      const row = await tx.user.findUnique({ where: { email } });
      if (row === null) return undefined;
      if (count === 1) {
        if (row.failedAttempts >= bound) await tx.user.update({ where: { id: row.id }, data: { lockedUntil: until } });
        const { id, name, passwordHash, failedAttempts } = row;
        return { id, email: row.email, name, passwordHash, attempts: failedAttempts };
      }
      return { until: row.lockedUntil ?? until };
    });
  }

  async openSession(tx: Tx, userId: string, tokenHash: Hash, expiresAt: Date): Promise<void> {
    await tx.user.update({
      where: { id: userId },
      data: { failedAttempts: 0, lockedUntil: null },
      select: { id: true },
    });
    await tx.userSession.deleteMany({ where: { userId, expiresAt: { lte: new Date() } } });
    await tx.userSession.create({
      data: { userId, tokenHash, expiresAt },
      select: { id: true },
    });
  }

  findSession(tokenHash: Hash, now: Date): Promise<SessionRow | null> {
    return this.database.forPlatform().transaction((tx) =>
      tx.userSession.findFirst({
        where: { tokenHash, expiresAt: { gt: now } },
        select: {
          id: true,
          user: {
            select: {
              id: true,
              email: true,
              name: true,
              platformRole: true,
              memberships: { select: { tenantId: true, role: true, tenant: { select: { slug: true, name: true } } } },
            },
          },
        },
      }),
    );
  }

  async closeSession(tx: Tx, sessionId: string): Promise<void> {
    await tx.userSession.deleteMany({ where: { id: sessionId } });
  }
}
