import type { Clock } from '@gantry/mcp-core';
import { Module } from '@nestjs/common';
import type { AppConfig } from '../../../config/app-config.js';
import { ChangeLogFollower } from '../../../infra/changes/change-log-follower.js';
import { APP_CONFIG, CLOCK } from '../../../infra/tokens.js';
import { ServersModule } from '../../servers/servers.module.js';
import { ServersService } from '../../servers/servers.service.js';
import { HostedServers } from './hosted-servers.js';

@Module({
  imports: [ServersModule],
  providers: [
    {
      provide: HostedServers,
      inject: [ServersService, ChangeLogFollower, APP_CONFIG, CLOCK],
      useFactory: (servers: ServersService, follower: ChangeLogFollower, config: AppConfig, clock: Clock) =>
        new HostedServers(
          (tenant, server) => servers.loadPublished(tenant, server),
          () => clock.now(),
          () => clock.now() - follower.lastGoodReadAt <= config.databaseGraceMs,
          config.limits.jobTimeoutMs,
        ),
    },
  ],
  exports: [HostedServers],
})
export class CatalogueModule {}
