import type { SignedIn } from '@gantry/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { UserPrincipal } from '../../common/auth/principal.js';
import { AppError, tooMany, unauthenticated } from '../../common/errors/app-error.js';
import type { Caller } from '../../common/http/request-context.js';
import { hashPassword, verifyPassword } from '../../infra/crypto/index.js';
import { AuditWriter } from '../audit/audit-writer.js';
import { Mutations } from '../audit/mutations.js';
import { AttemptLimiter, LOCKED_OUT } from './attempt-limiter.js';
import { ConsoleSessions } from './console-sessions.js';
import { PeopleRepository, type SignInRow } from './people.repository.js';
import { unlessBusy } from './unless-busy.js';

const ATTEMPTS = 10;
const LOCKOUT_MS = 15 * 60_000;
const ADDRESS_ATTEMPTS = 100;

/** Sign-in and sign-out of people. Every refusal reads the same, whether or not the address is known. */
@Injectable()
export class SignInService {
  private readonly unknownEmails = new AttemptLimiter(ATTEMPTS, LOCKOUT_MS, 'locked_out');
  private readonly addresses = new AttemptLimiter(ADDRESS_ATTEMPTS, LOCKOUT_MS, 'rate_limited');
  /** Verified in place of a stranger's password, so that strangers take as long as people we know. */
  private readonly decoy: Promise<string> = hashPassword('a password that nobody has');

  constructor(
    @Inject(PeopleRepository) private readonly people: PeopleRepository,
    @Inject(ConsoleSessions) private readonly sessions: ConsoleSessions,
    @Inject(Mutations) private readonly mutations: Mutations,
    @Inject(AuditWriter) private readonly audit: AuditWriter,
  ) {}

  async signIn(email: string, password: string, from: { requestId: string; address: string }): Promise<SignedIn> {
    const known = email.trim().toLowerCase();
    this.addresses.take(from.address);
    const person = await this.people.beginAttempt(known, new Date(), ATTEMPTS, LOCKOUT_MS);
    if (person === undefined) return this.refuseStranger(known, password);
    if ('until' in person) throw tooMany('locked_out', LOCKED_OUT, person.until.getTime() - Date.now());
    const right = await unlessBusy(verifyPassword(person.passwordHash, password));
    if (!right) return this.refuse(person, from.requestId);
    this.addresses.clear(from.address);
    return this.mutations.onPlatform(
      { principal: asPrincipal(person), requestId: from.requestId },
      async ({ tx, record }) => {
        const opened = await this.sessions.open(tx, person.id);
        await record({ action: 'session.open', object: `user/${person.id}`, tenantId: null, changes: [] });
        return opened;
      },
    );
  }

  /** Ends the caller's console session; nothing to do for callers without one. */
  async signOut(caller: Caller): Promise<void> {
    const { principal } = caller;
    if (principal.kind !== 'user') throw new AppError('bad_request', 'Only a console session can be signed out.');
    await this.mutations.onPlatform(caller, async ({ tx, record }) => {
      await this.people.closeSession(tx, principal.sessionId);
      await record({
        action: 'session.close',
        object: `user/${principal.id}`,
        tenantId: null,
        changes: [{ kind: 'session', subject: principal.sessionId }],
      });
    });
  }

  private async refuseStranger(email: string, password: string): Promise<never> {
    this.unknownEmails.take(email);
    const decoy = await this.decoy;
    await unlessBusy(verifyPassword(decoy, password));
    throw wrong('nobody has this address');
  }

  private async refuse(person: SignInRow, requestId: string): Promise<never> {
    // Only the last attempt writes: a transaction at each would let the time tell people from strangers.
    if (person.attempts < ATTEMPTS) throw wrongPassword(person);
    await this.mutations.onPlatform({ principal: asPrincipal(person), requestId }, async ({ tx }) => {
      await this.audit.write(tx, {
        tenantId: null,
        actor: 'anonymous',
        action: 'user.lock',
        object: `user/${person.id}`,
        requestId,
        detail: { forMs: LOCKOUT_MS },
      });
    });
    throw wrongPassword(person);
  }
}

function wrongPassword({ id }: SignInRow): AppError {
  return wrong(`wrong password for user ${id}`);
}

function wrong(logged: string): AppError {
  return unauthenticated('E-mail address or password is wrong.', logged);
}

function asPrincipal(person: SignInRow): UserPrincipal {
  const { id, email, name } = person;
  return { kind: 'user', id, sessionId: '', email, name, platformRole: undefined, memberships: new Map() };
}
