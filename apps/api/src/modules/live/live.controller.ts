import { streamQuerySchema } from '@gantry/contracts';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ValidQuery } from '../../common/http/input.js';
import { Operation } from '../../common/http/operation.js';
import { Streams } from './streams.service.js';

const description =
  'Server-sent events. `topics` is a comma list of `nodes`, `sessions:{tenant}`, `calls:{tenant}` and ' +
  '`session:{tenant}/{id}`; each may be read by whoever may GET the same. Of each topic comes a `snapshot`, then ' +
  'numbered `delta`s, at most four a second, with the number of changes that were merged away. `Last-Event-ID` goes on ' +
  'where a stream broke, or begins with new snapshots. The last event of a stream that the server ends is `close`.';

/** What happens, as it happens. */
@Controller('api/v1/stream')
export class LiveController {
  constructor(@Inject(Streams) private readonly streams: Streams) {}

  @Get()
  @Operation({
    summary: 'Watch sessions, calls and nodes',
    description,
    access: 'signed-in',
    query: streamQuerySchema,
    answers: { 200: z.string() },
  })
  async watch(
    @ValidQuery() { topics }: z.infer<typeof streamQuerySchema>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { authorization, 'last-event-id': sent } = request.headers;
    const lastEventId = Array.isArray(sent) ? sent[0] : sent;
    const { address, requestId } = request.ctx;
    const asked = { authorization, address, topics, lastEventId, requestId };
    const grant = await this.streams.admit(asked);
    reply.hijack();
    this.streams.start(asked, grant, reply.raw);
  }
}
