import { type Call, callPageSchema, callQuerySchema, callSchema, type Page } from '@gantry/contracts';
import { Controller, Get, Inject, Param } from '@nestjs/common';
import { z } from 'zod';
import { notFound } from '../../common/errors/app-error.js';
import { decodeCursor, pageOf } from '../../common/http/cursor.js';
import { ValidQuery } from '../../common/http/input.js';
import { Operation } from '../../common/http/operation.js';
import { Ctx, type TenantCaller } from '../../common/http/request-context.js';
import { CallsRepository } from './calls.repository.js';

const positionSchema = z.tuple([z.iso.datetime(), z.uuid()]);
const idSchema = z.uuid();

@Controller('api/v1/tenants/:tenant/calls')
export class CallsController {
  constructor(@Inject(CallsRepository) private readonly calls: CallsRepository) {}

  @Get()
  @Operation({
    summary: 'List calls, newest first',
    access: 'calls:read',
    query: callQuerySchema,
    answers: { 200: callPageSchema },
  })
  async list(@Ctx() caller: TenantCaller, @ValidQuery() query: z.infer<typeof callQuerySchema>): Promise<Page<Call>> {
    const { limit, cursor, ...filter } = query;
    const position = decodeCursor(cursor, positionSchema);
    const after = position && { at: new Date(position[0]), id: position[1] };
    const rows = await this.calls.list(caller.tenant.id, filter, limit + 1, after);
    return pageOf(
      rows,
      limit,
      (row) => row,
      (row) => [row.at, row.id],
    );
  }

  @Get(':id')
  @Operation({ summary: 'Read a call', access: 'calls:read', answers: { 200: callSchema } })
  async get(@Ctx() caller: TenantCaller, @Param('id') id: string): Promise<Call> {
    const call = idSchema.safeParse(id).success ? await this.calls.find(caller.tenant.id, id) : undefined;
    if (call === undefined) throw notFound('call');
    return call;
  }
}
