import { type DynamicModule, Module } from '@nestjs/common';
import { RouteTable } from '../../common/http/route-table.js';
import { OpenApiController } from './openapi.controller.js';

@Module({})
class OpenApiModule {}

/** Describes the routes of a table, as a document and as a page. */
export function openApiModule(routes: RouteTable): DynamicModule {
  return {
    module: OpenApiModule,
    controllers: [OpenApiController],
    providers: [{ provide: RouteTable, useValue: routes }],
  };
}
