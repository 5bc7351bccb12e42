import {
  type Page,
  type PageQuery,
  pageQuerySchema,
  type ToolAnswer,
  type ToolDocument,
  toolAnswerSchema,
  toolDocumentSchema,
  toolPageSchema,
  toolPatchSchema,
} from '@gantry/contracts';
import { Controller, Delete, Get, Headers, HttpCode, Inject, Param, Patch, Post, Put, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { etagOf } from '../../common/http/etag.js';
import { RawBody, ValidBody, ValidQuery } from '../../common/http/input.js';
import { Operation } from '../../common/http/operation.js';
import { Ctx, type TenantCaller } from '../../common/http/request-context.js';
import { ToolsService } from './tools.service.js';

@Controller('api/v1/tenants/:tenant/servers/:server/tools')
export class ToolsController {
  constructor(@Inject(ToolsService) private readonly tools: ToolsService) {}

  @Get()
  @Operation({
    summary: "List a server's tools in the document's order",
    access: 'servers:read',
    query: pageQuerySchema,
    answers: { 200: toolPageSchema },
  })
  list(
    @Ctx() caller: TenantCaller,
    @Param('server') server: string,
    @ValidQuery() query: PageQuery,
  ): Promise<Page<ToolDocument>> {
    return this.tools.list(caller, server, query.limit, query.cursor);
  }

  @Post()
  @HttpCode(201)
  @Operation({
    summary: 'Add a tool',
    access: 'servers:write',
    describedBody: toolDocumentSchema,
    answers: { 201: toolAnswerSchema },
  })
  create(@Ctx() caller: TenantCaller, @Param('server') server: string, @RawBody() body: unknown): Promise<ToolAnswer> {
    return this.tools.create(caller, server, body);
  }

  @Get(':name')
  @Operation({ summary: 'Read a tool', access: 'servers:read', answers: { 200: toolDocumentSchema } })
  async get(
    @Ctx() caller: TenantCaller,
    @Param('server') server: string,
    @Param('name') name: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ToolDocument> {
    const tool = await this.tools.get(caller, server, name);
    reply.header('etag', etagOf(tool));
    return tool;
  }

  @Put(':name')
  @Operation({
    summary: 'Replace a tool, or add it',
    access: 'servers:write',
    describedBody: toolDocumentSchema,
    answers: { 200: toolAnswerSchema, 201: toolAnswerSchema },
  })
  async put(
    @Ctx() caller: TenantCaller,
    @Param('server') server: string,
    @Param('name') name: string,
    @RawBody() body: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ToolAnswer> {
    const { answer, created } = await this.tools.put(caller, server, name, body, ifMatch);
    reply.code(created ? 201 : 200);
    return answer;
  }

  @Patch(':name')
  @Operation({
    summary: 'Replace single fields of a tool; null removes one',
    access: 'servers:write',
    body: toolPatchSchema,
    answers: { 200: toolAnswerSchema },
  })
  patch(
    @Ctx() caller: TenantCaller,
    @Param('server') server: string,
    @Param('name') name: string,
    @ValidBody() body: z.infer<typeof toolPatchSchema>,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<ToolAnswer> {
    return this.tools.patch(caller, server, name, body, ifMatch);
  }

  @Delete(':name')
  @HttpCode(204)
  @Operation({ summary: 'Remove a tool', access: 'servers:write', answers: { 204: null } })
  delete(
    @Ctx() caller: TenantCaller,
    @Param('server') server: string,
    @Param('name') name: string,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<void> {
    return this.tools.delete(caller, server, name, ifMatch);
  }
}
