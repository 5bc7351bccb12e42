import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../infra/prisma/database.js';

export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly object?: string | undefined;
}

/** Reads the trail, newest first. */
@Injectable()
export class AuditLogRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  list(tenantId: string, filter: AuditFilter, before: bigint | undefined, take: number) {
    return this.database.forTenant(tenantId).transaction((tx) =>
      tx.auditEntry.findMany({
        where: { tenantId, ...filter, ...(before === undefined ? {} : { id: { lt: before } }) },
        orderBy: { id: 'desc' },
        take,
      }),
    );
  }
}
