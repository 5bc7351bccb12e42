import type { Clock } from '@gantry/mcp-core';
import { Module } from '@nestjs/common';
import { CLOCK } from '../../../infra/tokens.js';
import { ServersModule } from '../../servers/servers.module.js';
import { ServersService } from '../../servers/servers.service.js';
import { HostedServers } from './hosted-servers.js';

@Module({
  imports: [ServersModule],
  providers: [
    {
      provide: HostedServers,
      inject: [ServersService, CLOCK],
      useFactory: (servers: ServersService, clock: Clock) =>
        new HostedServers(
          (tenant, server) => servers.loadPublished(tenant, server),
          () => clock.now(),
        ),
    },
  ],
  exports: [HostedServers],
})
export class CatalogueModule {}
