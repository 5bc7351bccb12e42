import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';

@Module({
  imports: [NodesModule, JobsModule],
  controllers: [HealthController],
  providers: [Readiness],
  exports: [Readiness],
})
export class HealthModule {}
