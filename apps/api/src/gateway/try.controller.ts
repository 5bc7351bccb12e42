import {
  tryInputRequiredSchema,
  tryPromptAnswerSchema,
  tryPromptBodySchema,
  tryResourceAnswerSchema,
  tryResourceBodySchema,
  tryToolAnswerSchema,
  tryToolBodySchema,
} from '@gantry/contracts';
import { Controller, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ValidBody } from '../common/http/input.js';
import { Operation } from '../common/http/operation.js';
import { Ctx, type TenantCaller } from '../common/http/request-context.js';
import { answerTry } from './try-answer.js';
import { TryRuns } from './try-runs.js';

const description =
  'When the run has questions, the answer is `inputRequests` and `requestState`: send the same body again with ' +
  '`inputResponses`, the bare result of each question under its key, and that `requestState`. With ' +
  '`Accept: text/event-stream` the answer is a stream of the events `progress`, `log`, and at last `result`, ' +
  '`input_required` or `problem`. Closing the connection cancels the run.';

/** Runs what the stored document of a server offers, for the person who edits it. */
@Controller('api/v1/tenants/:tenant/servers/:server')
export class TryController {
  constructor(@Inject(TryRuns) private readonly runs: TryRuns) {}

  @Post('tools/:name/try')
  @HttpCode(200)
  @Operation({
    summary: 'Run a tool of the stored document',
    description,
    access: 'tools:try',
    body: tryToolBodySchema,
    answers: { 200: z.union([tryInputRequiredSchema, tryToolAnswerSchema]) },
  })
  async tool(
    @Ctx() caller: TenantCaller,
    @Param('server') server: string,
    @Param('name') name: string,
    @ValidBody() body: z.infer<typeof tryToolBodySchema>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await answerTry(await this.runs.tool(caller, server, name, body), request, reply);
  }

  @Post('prompts/:name/try')
  @HttpCode(200)
  @Operation({
    summary: 'Get the messages of a prompt of the stored document',
    description,
    access: 'tools:try',
    body: tryPromptBodySchema,
    answers: { 200: z.union([tryInputRequiredSchema, tryPromptAnswerSchema]) },
  })
  async prompt(
    @Ctx() caller: TenantCaller,
    @Param('server') server: string,
    @Param('name') name: string,
    @ValidBody() body: z.infer<typeof tryPromptBodySchema>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await answerTry(await this.runs.prompt(caller, server, name, body), request, reply);
  }

  @Post('resources/try')
  @HttpCode(200)
  @Operation({
    summary: 'Read a resource of the stored document, or what fits one of its templates',
    description,
    access: 'tools:try',
    body: tryResourceBodySchema,
    answers: { 200: z.union([tryInputRequiredSchema, tryResourceAnswerSchema]) },
  })
  async resource(
    @Ctx() caller: TenantCaller,
    @Param('server') server: string,
    @ValidBody() body: z.infer<typeof tryResourceBodySchema>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await answerTry(await this.runs.resource(caller, server, body), request, reply);
  }
}
