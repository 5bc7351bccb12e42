import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { DocumentChecker } from './document-checker.js';
import { ServerEdits } from './server-edits.js';
import { ServersController } from './servers.controller.js';
import { ServersRepository } from './servers.repository.js';
import { ServersService } from './servers.service.js';

@Module({
  imports: [AuditModule],
  controllers: [ServersController],
  providers: [ServersRepository, ServerEdits, ServersService, DocumentChecker],
  exports: [ServersService, DocumentChecker],
})
export class ServersModule {}
