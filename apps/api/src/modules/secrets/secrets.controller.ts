import {
  type Page,
  type PageQuery,
  pageQuerySchema,
  putSecretBodySchema,
  type Secret,
  secretNameSchema,
  secretPageSchema,
} from '@gantry/contracts';
import { Controller, Delete, Get, HttpCode, Inject, Put } from '@nestjs/common';
import type { z } from 'zod';
import { PathName, ValidBody, ValidQuery } from '../../common/http/input.js';
import { Operation } from '../../common/http/operation.js';
import { Ctx, type TenantCaller } from '../../common/http/request-context.js';
import { SecretsService } from './secrets.service.js';

const named = { name: 'name', schema: secretNameSchema };

@Controller('api/v1/tenants/:tenant/secrets')
export class SecretsController {
  constructor(@Inject(SecretsService) private readonly secrets: SecretsService) {}

  @Get()
  @Operation({
    summary: 'List secrets: names, hosts, ages and uses, never values',
    access: 'secrets:read',
    query: pageQuerySchema,
    answers: { 200: secretPageSchema },
  })
  list(@Ctx() caller: TenantCaller, @ValidQuery() query: PageQuery): Promise<Page<Secret>> {
    return this.secrets.list(caller, query.limit, query.cursor);
  }

  @Put(':name')
  @HttpCode(204)
  @Operation({
    summary: 'Set a secret and the hosts it may be sent to',
    access: 'secrets:write',
    body: putSecretBodySchema,
    answers: { 204: null },
  })
  put(
    @Ctx() caller: TenantCaller,
    @PathName(named) name: string,
    @ValidBody() body: z.infer<typeof putSecretBodySchema>,
  ): Promise<void> {
    return this.secrets.put(caller, name, body);
  }

  @Delete(':name')
  @HttpCode(204)
  @Operation({ summary: 'Delete a secret', access: 'secrets:write', answers: { 204: null } })
  delete(@Ctx() caller: TenantCaller, @PathName(named) name: string): Promise<void> {
    return this.secrets.delete(caller, name);
  }
}
