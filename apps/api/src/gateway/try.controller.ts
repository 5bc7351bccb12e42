import { type TryEventName, type TryToolAnswer, tryToolAnswerSchema, tryToolBodySchema } from '@gantry/contracts';
import { McpEndpoint, toolCallRequest } from '@gantry/mcp-core';
import { Controller, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError, notFound } from '../common/errors/app-error.js';
import { asAppError, problemOf } from '../common/errors/problem.js';
import { ValidBody } from '../common/http/input.js';
import { Operation } from '../common/http/operation.js';
import { Ctx, type TenantCaller } from '../common/http/request-context.js';
import type { AppConfig } from '../config/app-config.js';
import { APP_CONFIG } from '../infra/tokens.js';
import { ServersService } from '../modules/servers/servers.service.js';
import { buildSnapshot } from '../modules/tools/catalogue/snapshot.js';
import { Servings } from './servings.js';
import { tryOutcome } from './try-outcome.js';
import { type TryEvents, TryResponder } from './try-responder.js';

type TryBody = z.infer<typeof tryToolBodySchema>;

/** Runs a tool for the person who edits it: the draft, through the code that serves clients. */
@Controller('api/v1/tenants/:tenant/servers/:server/tools/:name/try')
export class TryController {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(ServersService) private readonly servers: ServersService,
    @Inject(Servings) private readonly servings: Servings,
    @Inject(McpEndpoint) private readonly endpoint: McpEndpoint,
  ) {}

  @Post()
  @HttpCode(200)
  @Operation({
    summary: 'Run a tool of the stored document',
    description:
      'With `Accept: text/event-stream` the answer is a stream of the events `progress`, `log`, and at last `result` or ' +
      '`problem`. Closing the connection cancels the run.',
    access: 'tools:try',
    body: tryToolBodySchema,
    answers: { 200: tryToolAnswerSchema },
  })
  async try(
    @Ctx() caller: TenantCaller,
    @Param('server') server: string,
    @Param('name') name: string,
    @ValidBody() body: TryBody,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const run = await this.prepare(caller, server, name, body);
    if (request.headers.accept?.includes('text/event-stream') !== true) {
      const answer = await new Promise<TryToolAnswer>((resolve, reject) => {
        const responder = run({ progress() {}, log() {}, answered: settle(resolve, reject) });
        whenGone(reply, () => responder.disconnect());
      });
      void reply.send(answer);
      return;
    }
    reply.hijack();
    this.stream(run, request, reply);
  }

  /** Finds draft and tool before anything is answered; the returned function starts the run. */
  private async prepare(caller: TenantCaller, server: string, name: string, body: TryBody) {
    const stored = await this.servers.loadStored(caller, server);
    const snapshot = buildSnapshot(stored);
    const tool = snapshot.tools.find(({ definition }) => definition.name === name);
    if (tool === undefined) throw notFound('tool');
    const serving = this.servings.forConsole({ published: stored, snapshot }, caller.principal);
    const request = toolCallRequest({
      id: caller.requestId,
      name,
      arguments: body.arguments,
      inputSchema: tool.definition.inputSchema,
      client: { name: 'gantry-console', version: this.config.version },
      progressToken: caller.requestId,
      logLevel: 'debug',
    });
    return (events: TryEvents): TryResponder => {
      const responder = new TryResponder(events);
      void this.endpoint.handle(request, responder, serving);
      return responder;
    };
  }

  private stream(run: (events: TryEvents) => TryResponder, request: FastifyRequest, reply: FastifyReply): void {
    const { raw } = reply;
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': request.id,
    });
    raw.flushHeaders();
    const send = (event: TryEventName, data: unknown) =>
      raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    const responder = run({
      progress: ({ progress, total, message }) => send('progress', { progress, total, message }),
      log: (event) => send('log', event),
      answered: settle(
        (answer) => {
          send('result', answer);
          raw.end();
        },
        (error) => {
          send('problem', problemOf(asAppError(error), request.id));
          raw.end();
        },
      ),
    });
    whenGone(reply, () => responder.disconnect());
  }
}

/** Also for whoever left before there was anything to leave. */
function whenGone({ raw }: FastifyReply, leave: () => void): void {
  if (raw.destroyed) leave();
  else raw.once('close', leave);
}

function settle(resolve: (answer: TryToolAnswer) => void, reject: (error: AppError) => void): TryEvents['answered'] {
  return (status, response) => {
    const outcome = tryOutcome(status, response);
    if (outcome instanceof AppError) reject(outcome);
    else resolve(outcome);
  };
}
