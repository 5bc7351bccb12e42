import { type DynamicModule, Module } from '@nestjs/common';
import type { RouteTable } from './common/http/route-table.js';
import { GatewayModule } from './gateway/gateway.module.js';
import { InfraModule, type InfraOptions } from './infra/infra.module.js';
import { AuditModule } from './modules/audit/audit.module.js';
import { AuditLogModule } from './modules/audit/audit-log.module.js';
import { CallsModule } from './modules/calls/calls.module.js';
import { DemoModule } from './modules/demo/demo.module.js';
import { HealthModule } from './modules/health/health.module.js';
import { JobsModule } from './modules/jobs/jobs.module.js';
import { KeysModule } from './modules/keys/keys.module.js';
import { LiveModule } from './modules/live/live.module.js';
import { MembersModule } from './modules/members/members.module.js';
import { NodesModule } from './modules/nodes/nodes.module.js';
import { openApiModule } from './modules/openapi/openapi.module.js';
import { SecretsModule } from './modules/secrets/secrets.module.js';
import { ServersModule } from './modules/servers/servers.module.js';
import { SessionsModule } from './modules/sessions/sessions.module.js';
import { TenantsModule } from './modules/tenants/tenants.module.js';
import { ToolsModule } from './modules/tools/tools.module.js';

@Module({})
class AppModule {}

/** The only place that names every module. */
export function appModule(infra: InfraOptions, routes: RouteTable): DynamicModule {
  return {
    module: AppModule,
    imports: [
      InfraModule.with(infra),
      AuditModule,
      AuditLogModule,
      NodesModule,
      JobsModule,
      TenantsModule,
      MembersModule,
      KeysModule,
      SecretsModule,
      ServersModule,
      ToolsModule,
      SessionsModule,
      CallsModule,
      GatewayModule,
      LiveModule,
      DemoModule,
      HealthModule,
      openApiModule(routes),
    ],
  };
}
