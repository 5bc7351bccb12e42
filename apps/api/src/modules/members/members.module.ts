import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AuthController } from './auth.controller.js';
import { ConsoleSessions } from './console-sessions.js';
import { PeopleRepository } from './people.repository.js';
import { SetupService } from './setup.service.js';
import { SignInService } from './sign-in.service.js';

@Module({
  imports: [AuditModule],
  controllers: [AuthController],
  providers: [PeopleRepository, ConsoleSessions, SignInService, SetupService],
  exports: [ConsoleSessions],
})
export class MembersModule {}
