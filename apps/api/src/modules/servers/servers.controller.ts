import {
  type Page,
  type PageQuery,
  type PutServerAnswer,
  pageQuerySchema,
  publishAnswerSchema,
  publishBodySchema,
  putServerAnswerSchema,
  putServerQuerySchema,
  type Revision,
  revisionPageSchema,
  type ServerDocument,
  type ServerSummary,
  serverDocumentSchema,
  serverPageSchema,
  slugSchema,
} from '@gantry/contracts';
import { Controller, Delete, Get, Headers, HttpCode, Inject, Param, Post, Put, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { AppError, notFound } from '../../common/errors/app-error.js';
import { etagOf } from '../../common/http/etag.js';
import { RawBody, ValidBody, ValidQuery } from '../../common/http/input.js';
import { Operation } from '../../common/http/operation.js';
import { Ctx, type TenantCaller } from '../../common/http/request-context.js';
import { ServersService } from './servers.service.js';

@Controller('api/v1/tenants/:tenant/servers')
export class ServersController {
  constructor(@Inject(ServersService) private readonly servers: ServersService) {}

  @Get()
  @Operation({
    summary: 'List servers',
    access: 'servers:read',
    query: pageQuerySchema,
    answers: { 200: serverPageSchema },
  })
  list(@Ctx() caller: TenantCaller, @ValidQuery() query: PageQuery): Promise<Page<ServerSummary>> {
    return this.servers.list(caller, query.limit, query.cursor);
  }

  @Put(':server')
  @Operation({
    summary: 'Create or replace a server, and publish it',
    description:
      'Takes the whole server document. `draft=true` holds it back, `dryRun=true` only checks and shows the difference. ' +
      'Every fault is listed; nothing is stored when there is one. `If-Match` refuses to replace what changed since.',
    access: 'servers:write',
    query: putServerQuerySchema,
    describedBody: serverDocumentSchema,
    answers: { 200: putServerAnswerSchema, 201: putServerAnswerSchema },
  })
  async put(
    @Ctx() caller: TenantCaller,
    @Param('server') slug: string,
    @ValidQuery() { draft, dryRun }: z.infer<typeof putServerQuerySchema>,
    @RawBody() body: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PutServerAnswer> {
    const named = slugSchema.safeParse(slug);
    if (!named.success) throw new AppError('bad_request', `The server's name ${named.error.issues[0]?.message}.`);
    const { answer, created, stored } = await this.servers.put(caller, slug, body, { draft, dryRun, ifMatch });
    reply.code(created ? 201 : 200);
    if (stored !== undefined) reply.header('etag', etagOf(stored));
    return answer;
  }

  @Get(':server')
  @Operation({
    summary: 'Read the server document; what this gives, PUT takes',
    access: 'servers:read',
    answers: { 200: serverDocumentSchema },
  })
  async document(
    @Ctx() caller: TenantCaller,
    @Param('server') slug: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ServerDocument> {
    const document = await this.servers.document(caller, slug);
    reply.header('etag', etagOf(document));
    return document;
  }

  @Delete(':server')
  @HttpCode(204)
  @Operation({ summary: 'Delete a server with its revisions', access: 'servers:delete', answers: { 204: null } })
  delete(@Ctx() caller: TenantCaller, @Param('server') slug: string): Promise<void> {
    return this.servers.delete(caller, slug);
  }

  @Post(':server/publish')
  @HttpCode(200)
  @Operation({
    summary: 'Publish what is stored',
    access: 'servers:write',
    body: publishBodySchema,
    answers: { 200: publishAnswerSchema },
  })
  publish(
    @Ctx() caller: TenantCaller,
    @Param('server') slug: string,
    @ValidBody() body: z.infer<typeof publishBodySchema>,
  ): Promise<PutServerAnswer> {
    return this.servers.publish(caller, slug, body.note);
  }

  @Get(':server/revisions')
  @Operation({
    summary: 'List published revisions, newest first',
    access: 'servers:read',
    query: pageQuerySchema,
    answers: { 200: revisionPageSchema },
  })
  revisions(
    @Ctx() caller: TenantCaller,
    @Param('server') slug: string,
    @ValidQuery() query: PageQuery,
  ): Promise<Page<Revision>> {
    return this.servers.revisions(caller, slug, query.limit, query.cursor);
  }

  @Post(':server/revisions/:number/rollback')
  @HttpCode(200)
  @Operation({
    summary: 'Publish the document of an old revision under a new number',
    access: 'servers:write',
    answers: { 200: publishAnswerSchema },
  })
  async rollback(
    @Ctx() caller: TenantCaller,
    @Param('server') slug: string,
    @Param('number') number: string,
  ): Promise<PutServerAnswer> {
    if (!/^[1-9]\d{0,8}$/.test(number)) throw notFound('revision');
    return this.servers.rollback(caller, slug, Number(number));
  }
}
