import { Module } from '@nestjs/common';
import type { AppConfig } from '../../config/app-config.js';
import { MasterKeys, PlaygroundTokens } from '../../infra/crypto/index.js';
import { APP_CONFIG } from '../../infra/tokens.js';
import { AuditModule } from '../audit/audit.module.js';
import { MembersModule } from '../members/members.module.js';
import { KeysController } from './keys.controller.js';
import { KeysRepository } from './keys.repository.js';
import { KeysService } from './keys.service.js';
import { PrincipalResolver } from './principal-resolver.js';

@Module({
  imports: [AuditModule, MembersModule],
  controllers: [KeysController],
  providers: [
    KeysRepository,
    KeysService,
    PrincipalResolver,
    {
      provide: PlaygroundTokens,
      inject: [APP_CONFIG],
      useFactory: ({ masterKey }: AppConfig) => new PlaygroundTokens(new MasterKeys(masterKey).subkey('playground')),
    },
  ],
  exports: [KeysService, PrincipalResolver, PlaygroundTokens],
})
export class KeysModule {}
