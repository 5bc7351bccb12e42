import type { Clock } from '@gantry/mcp-core';
import { Module } from '@nestjs/common';
import { CLOCK } from '../../infra/tokens.js';
import { CallLimits } from './limits.js';
import { ListenLimits } from './listen-limits.js';

@Module({
  providers: [
    { provide: CallLimits, inject: [CLOCK], useFactory: (clock: Clock) => new CallLimits(() => clock.now()) },
    ListenLimits,
  ],
  exports: [CallLimits, ListenLimits],
})
export class UsageModule {}
