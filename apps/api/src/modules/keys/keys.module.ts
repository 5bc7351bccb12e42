import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { MembersModule } from '../members/members.module.js';
import { KeysController } from './keys.controller.js';
import { KeysRepository } from './keys.repository.js';
import { KeysService } from './keys.service.js';
import { PrincipalResolver } from './principal-resolver.js';

@Module({
  imports: [AuditModule, MembersModule],
  controllers: [KeysController],
  providers: [KeysRepository, KeysService, PrincipalResolver],
  exports: [KeysService, PrincipalResolver],
})
export class KeysModule {}
