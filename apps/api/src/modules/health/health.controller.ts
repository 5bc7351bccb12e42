import { healthSchema, readinessSchema } from '@gantry/contracts';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { Operation } from '../../common/http/operation.js';
import { Readiness } from './readiness.js';

@Controller()
export class HealthController {
  constructor(@Inject(Readiness) private readonly readiness: Readiness) {}

  @Get('healthz')
  @Operation({ summary: 'Tell that the process lives', access: 'public', answers: { 200: healthSchema } })
  health(): z.infer<typeof healthSchema> {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Operation({
    summary: 'Tell whether this node should get traffic, dependency by dependency',
    access: 'public',
    answers: { 200: readinessSchema, 503: readinessSchema },
  })
  ready(@Res({ passthrough: true }) reply: FastifyReply): z.infer<typeof readinessSchema> {
    const { status, dependencies } = this.readiness.state();
    reply.code(status === 'not_ready' ? 503 : 200).header('cache-control', 'no-store');
    return { status, dependencies };
  }
}
