import { Controller, Get, Header, Inject } from '@nestjs/common';
import { z } from 'zod';
import { Operation } from '../../common/http/operation.js';
import { RouteTable } from '../../common/http/route-table.js';
import type { AppConfig } from '../../config/app-config.js';
import { APP_CONFIG } from '../../infra/tokens.js';
import { docsPage } from './docs-page.js';
import { type OpenApiDocument, openApiDocument } from './openapi-document.js';

@Controller('api')
export class OpenApiController {
  private json: string | undefined;
  private page: string | undefined;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(RouteTable) private readonly routes: RouteTable,
  ) {}

  @Get('openapi.json')
  @Header('content-type', 'application/json; charset=utf-8')
  @Operation({
    summary: 'This API as an OpenAPI 3.1 document',
    access: 'public',
    answers: { 200: z.record(z.string(), z.unknown()) },
  })
  document(): string {
    this.json ??= JSON.stringify(this.describe());
    return this.json;
  }

  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
  @Operation({ summary: 'This API as a page', access: 'public', answers: { 200: null } })
  docs(): string {
    this.page ??= docsPage(this.describe());
    return this.page;
  }

  private describe(): OpenApiDocument {
    return openApiDocument(this.routes.all(), this.config.publicUrl, this.config.version);
  }
}
