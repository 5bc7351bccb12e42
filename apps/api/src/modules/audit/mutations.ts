import { Inject, Injectable } from '@nestjs/common';
import { actorOf, type Principal } from '../../common/auth/principal.js';
import { ChangeLogFollower } from '../../infra/changes/change-log-follower.js';
import { ChangeLogWriter } from '../../infra/changes/change-log-writer.js';
import { Database, type Scope, type Tx } from '../../infra/prisma/database.js';
import { AuditWriter } from './audit-writer.js';

/** What of a caller goes into the trail. */
export interface Author {
  readonly principal: Principal;
  readonly requestId: string;
}

export interface MutationRecord {
  /** noun.verb, e.g. "key.revoke". */
  readonly action: string;
  /** What it was done to, e.g. "server/orders". */
  readonly object: string;
  /** Null for platform matters. */
  readonly tenantId: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
  /** Caches that hold the old state: dropped on every node. */
  readonly changes: readonly { readonly kind: string; readonly subject: string }[];
}

export interface Mutation {
  readonly tx: Tx;
  /** Writes the audit entry and the change-log rows of what this transaction did. */
  record(entry: MutationRecord): Promise<void>;
}

/**
 * The one way to change something: the change, its audit entry and its change-log rows share a transaction, and the
 * node follows it before the caller is answered.
 */
@Injectable()
export class Mutations {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(AuditWriter) private readonly audit: AuditWriter,
    @Inject(ChangeLogWriter) private readonly changeLog: ChangeLogWriter,
    @Inject(ChangeLogFollower) private readonly follower: ChangeLogFollower,
  ) {}

  inTenant<T>(tenantId: string, author: Author, work: (mutation: Mutation) => Promise<T>): Promise<T> {
    return this.run(this.database.forTenant(tenantId), author, work);
  }

  onPlatform<T>(author: Author, work: (mutation: Mutation) => Promise<T>): Promise<T> {
    return this.run(this.database.forPlatform(), author, work);
  }

  private async run<T>(scope: Scope, author: Author, work: (mutation: Mutation) => Promise<T>): Promise<T> {
    let announced = false;
    const result = await scope.transaction((tx) =>
      work({
        tx,
        record: async ({ action, object, tenantId, detail, changes }) => {
          await this.audit.write(tx, {
            tenantId,
            actor: actorOf(author.principal),
            action,
            object,
            requestId: author.requestId,
            detail,
          });
          for (const change of changes) {
            await this.changeLog.append(tx, { ...change, ...(tenantId === null ? {} : { tenantId }) });
            announced = true;
          }
        },
      }),
    );
    // Whoever made a change finds it in force here as soon as they are answered.
    if (announced) await this.follower.ring();
    return result;
  }
}
