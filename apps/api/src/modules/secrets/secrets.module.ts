import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { SecretsController } from './secrets.controller.js';
import { SecretsRepository } from './secrets.repository.js';
import { SecretsService } from './secrets.service.js';

@Module({
  imports: [AuditModule],
  controllers: [SecretsController],
  providers: [SecretsRepository, SecretsService],
  exports: [SecretsService],
})
export class SecretsModule {}
