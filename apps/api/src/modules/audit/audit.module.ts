import { Module } from '@nestjs/common';
import { AuditWriter } from './audit-writer.js';
import { Mutations } from './mutations.js';

@Module({ providers: [AuditWriter, Mutations], exports: [AuditWriter, Mutations] })
export class AuditModule {}
