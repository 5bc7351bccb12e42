import {
  type CallCancelled,
  callCancelledSchema,
  type SessionDetail,
  type SessionEnded,
  type SessionMessagePage,
  type SessionPage,
  sessionDetailSchema,
  sessionEndedSchema,
  sessionMessagePageSchema,
  sessionMessageQuerySchema,
  sessionPageSchema,
  sessionQuerySchema,
} from '@gantry/contracts';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type { z } from 'zod';
import { ValidQuery } from '../../common/http/input.js';
import { Operation } from '../../common/http/operation.js';
import { Ctx, type TenantCaller } from '../../common/http/request-context.js';
import { SessionsService } from './sessions.service.js';

@Controller('api/v1/tenants/:tenant/sessions')
export class SessionsController {
  constructor(@Inject(SessionsService) private readonly sessions: SessionsService) {}

  @Get()
  @Operation({
    summary: 'List live sessions and stateless clients of all nodes',
    description: 'Nodes that did not answer within a second are named. A filtered page may be short and not the last.',
    access: 'calls:read',
    query: sessionQuerySchema,
    answers: { 200: sessionPageSchema },
  })
  list(@Ctx() caller: TenantCaller, @ValidQuery() query: z.infer<typeof sessionQuerySchema>): Promise<SessionPage> {
    return this.sessions.list(caller, query);
  }

  @Get(':id')
  @Operation({
    summary: 'Read a live session or stateless client, with what runs and is open on all nodes',
    access: 'calls:read',
    answers: { 200: sessionDetailSchema },
  })
  get(@Ctx() caller: TenantCaller, @Param('id') id: string): Promise<SessionDetail> {
    return this.sessions.get(caller, id);
  }

  @Get(':id/messages')
  @Operation({
    summary: 'List the last messages of a session, oldest first, without their contents',
    description: 'Each node keeps the last 200 of those that passed through it. A stateless client has none.',
    access: 'calls:read',
    query: sessionMessageQuerySchema,
    answers: { 200: sessionMessagePageSchema },
  })
  messages(
    @Ctx() caller: TenantCaller,
    @Param('id') id: string,
    @ValidQuery() query: z.infer<typeof sessionMessageQuerySchema>,
  ): Promise<SessionMessagePage> {
    return this.sessions.messages(caller, id, query);
  }

  @Delete(':id')
  @Operation({
    summary: 'End a session, or what a stateless client has open, wherever it is held',
    description: 'Answers with what each node has let go of. Nodes that did not confirm within five seconds are named.',
    access: 'sessions:end',
    answers: { 200: sessionEndedSchema },
  })
  end(@Ctx() caller: TenantCaller, @Param('id') id: string): Promise<SessionEnded> {
    return this.sessions.end(caller, id);
  }

  @Post(':id/calls/:call/cancel')
  @HttpCode(200)
  @Operation({
    summary: 'Cancel a request in flight, on whatever node it runs',
    description: 'Answers when its work has stopped; false when it had ended before.',
    access: 'sessions:end',
    answers: { 200: callCancelledSchema },
  })
  cancel(@Ctx() caller: TenantCaller, @Param('id') id: string, @Param('call') call: string): Promise<CallCancelled> {
    return this.sessions.cancel(caller, id, call);
  }
}
