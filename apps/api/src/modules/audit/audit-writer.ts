import { Injectable } from '@nestjs/common';
import type { Tx } from '../../infra/prisma/database.js';

export interface AuditLine {
  /** Null for platform matters. */
  readonly tenantId: string | null;
  readonly actor: string;
  readonly action: string;
  readonly object: string;
  readonly requestId: string;
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}

/** Appends to the trail, inside the transaction of what it describes. Calls no other module. */
@Injectable()
export class AuditWriter {
  async write(tx: Tx, line: AuditLine): Promise<void> {
    const { detail, ...columns } = line;
    await tx.auditEntry.create({
      data: { ...columns, ...(detail === undefined ? {} : { detail: detail as object }) },
      select: { id: true },
    });
  }
}
