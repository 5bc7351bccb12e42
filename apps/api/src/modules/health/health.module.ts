import { Module } from '@nestjs/common';
import { NodesModule } from '../nodes/nodes.module.js';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';

@Module({ imports: [NodesModule], controllers: [HealthController], providers: [Readiness], exports: [Readiness] })
export class HealthModule {}
