import { type AuditEntry, auditPageSchema, auditQuerySchema, type Page } from '@gantry/contracts';
import { Controller, Get, Inject } from '@nestjs/common';
import { z } from 'zod';
import { decodeCursor, pageOf } from '../../common/http/cursor.js';
import { ValidQuery } from '../../common/http/input.js';
import { Operation } from '../../common/http/operation.js';
import { Ctx, type TenantCaller } from '../../common/http/request-context.js';
import { AuditLogRepository } from './audit-log.repository.js';

const positionSchema = z.string().regex(/^\d{1,18}$/);

@Controller('api/v1/tenants/:tenant/audit')
export class AuditController {
  constructor(@Inject(AuditLogRepository) private readonly log: AuditLogRepository) {}

  @Get()
  @Operation({
    summary: 'List who changed what',
    access: 'audit:read',
    query: auditQuerySchema,
    answers: { 200: auditPageSchema },
  })
  async list(
    @Ctx() caller: TenantCaller,
    @ValidQuery() query: z.infer<typeof auditQuerySchema>,
  ): Promise<Page<AuditEntry>> {
    const { limit, cursor, ...filter } = query;
    const before = decodeCursor(cursor, positionSchema);
    const rows = await this.log.list(
      caller.tenant.id,
      filter,
      before === undefined ? undefined : BigInt(before),
      limit + 1,
    );
    return pageOf(
      rows,
      limit,
      (row) => ({
        id: String(row.id),
        at: row.at.toISOString(),
        actor: row.actor,
        action: row.action,
        object: row.object,
        ...(row.requestId === null ? {} : { requestId: row.requestId }),
        ...(row.detail === null ? {} : { detail: row.detail as Record<string, unknown> }),
      }),
      (row) => String(row.id),
    );
  }
}
