import {
  type ApiKey,
  apiKeyPageSchema,
  apiKeySchema,
  type CreatedKey,
  createdKeySchema,
  createKeyBodySchema,
  type Page,
  type PageQuery,
  pageQuerySchema,
  rotateKeyBodySchema,
} from '@gantry/contracts';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type { z } from 'zod';
import { ValidBody, ValidQuery } from '../../common/http/input.js';
import { Operation } from '../../common/http/operation.js';
import { Ctx, type TenantCaller } from '../../common/http/request-context.js';
import { KeysService } from './keys.service.js';

@Controller('api/v1/tenants/:tenant/keys')
export class KeysController {
  constructor(@Inject(KeysService) private readonly keys: KeysService) {}

  @Post()
  @HttpCode(201)
  @Operation({
    summary: 'Create an API key; this answer alone holds its value',
    access: 'keys:write',
    body: createKeyBodySchema,
    answers: { 201: createdKeySchema },
  })
  create(@Ctx() caller: TenantCaller, @ValidBody() body: z.infer<typeof createKeyBodySchema>): Promise<CreatedKey> {
    return this.keys.create(caller, body);
  }

  @Get()
  @Operation({
    summary: 'List API keys, newest first',
    access: 'keys:read',
    query: pageQuerySchema,
    answers: { 200: apiKeyPageSchema },
  })
  list(@Ctx() caller: TenantCaller, @ValidQuery() query: PageQuery): Promise<Page<ApiKey>> {
    return this.keys.list(caller, query.limit, query.cursor);
  }

  @Get(':id')
  @Operation({ summary: 'Read an API key', access: 'keys:read', answers: { 200: apiKeySchema } })
  get(@Ctx() caller: TenantCaller, @Param('id') id: string): Promise<ApiKey> {
    return this.keys.get(caller, id);
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({ summary: 'Revoke an API key', access: 'keys:revoke', answers: { 204: null } })
  revoke(@Ctx() caller: TenantCaller, @Param('id') id: string): Promise<void> {
    return this.keys.revoke(caller, id);
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @Operation({
    summary: 'Give an API key a new value; the old one works on for overlapMs',
    access: 'keys:write',
    body: rotateKeyBodySchema,
    answers: { 200: createdKeySchema },
  })
  rotate(
    @Ctx() caller: TenantCaller,
    @Param('id') id: string,
    @ValidBody() body: z.infer<typeof rotateKeyBodySchema>,
  ): Promise<CreatedKey> {
    return this.keys.rotate(caller, id, body.overlapMs);
  }
}
