import type { Tx } from '../prisma/database.js';

/** What changed, in words that every node's caches understand; see prisma/schema/change-log.prisma. */
export interface Change {
  /** Absent for platform matters. */
  readonly tenantId?: string;
  readonly kind: string;
  readonly subject: string;
}

/** Announces changes to every node: written in the transaction of the change, so that neither happens alone. */
export class ChangeLogWriter {
  async append(tx: Tx, { tenantId, kind, subject }: Change): Promise<void> {
    await tx.changeLogEntry.create({ data: { tenantId: tenantId ?? null, kind, subject }, select: { id: true } });
  }
}
