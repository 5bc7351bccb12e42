import {
  createTenantBodySchema,
  type Page,
  type PageQuery,
  pageQuerySchema,
  patchTenantBodySchema,
  type Tenant,
  tenantPageSchema,
  tenantSchema,
} from '@gantry/contracts';
import { Controller, Delete, Get, HttpCode, Inject, Patch, Post } from '@nestjs/common';
import type { z } from 'zod';
import { ValidBody, ValidQuery } from '../../common/http/input.js';
import { Operation } from '../../common/http/operation.js';
import { type Caller, Ctx, type TenantCaller } from '../../common/http/request-context.js';
import { TenantsService } from './tenants.service.js';

@Controller('api/v1/tenants')
export class TenantsController {
  constructor(@Inject(TenantsService) private readonly tenants: TenantsService) {}

  @Post()
  @HttpCode(201)
  @Operation({
    summary: 'Create a tenant; a person becomes its owner',
    access: 'tenants:create',
    body: createTenantBodySchema,
    answers: { 201: tenantSchema },
  })
  create(@Ctx() caller: Caller, @ValidBody() body: z.infer<typeof createTenantBodySchema>): Promise<Tenant> {
    return this.tenants.create(caller, body.slug, body.name);
  }

  @Get()
  @Operation({
    summary: 'List the tenants you may see',
    access: 'signed-in',
    query: pageQuerySchema,
    answers: { 200: tenantPageSchema },
  })
  list(@Ctx() caller: Caller, @ValidQuery() query: PageQuery): Promise<Page<Tenant>> {
    return this.tenants.list(caller, query.limit, query.cursor);
  }

  @Get(':tenant')
  @Operation({ summary: 'Read a tenant', access: 'tenant:read', answers: { 200: tenantSchema } })
  get(@Ctx() caller: TenantCaller): Promise<Tenant> {
    return this.tenants.get(caller);
  }

  @Patch(':tenant')
  @Operation({
    summary: 'Rename a tenant (tenant:update) or replace its limits (tenant:limits)',
    access: 'tenant:read',
    body: patchTenantBodySchema,
    answers: { 200: tenantSchema },
  })
  patch(@Ctx() caller: TenantCaller, @ValidBody() body: z.infer<typeof patchTenantBodySchema>): Promise<Tenant> {
    return this.tenants.patch(caller, body);
  }

  @Delete(':tenant')
  @HttpCode(204)
  @Operation({ summary: 'Delete a tenant with everything in it', access: 'tenant:delete', answers: { 204: null } })
  delete(@Ctx() caller: TenantCaller): Promise<void> {
    return this.tenants.delete(caller);
  }
}
