import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { AuditLogRepository } from './audit-log.repository.js';

/** The trail's read API, apart from the writer, so that anybody may write without a cycle. */
@Module({ controllers: [AuditController], providers: [AuditLogRepository] })
export class AuditLogModule {}
