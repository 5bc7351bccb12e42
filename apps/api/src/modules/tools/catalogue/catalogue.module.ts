import { Module } from '@nestjs/common';
import { ServersModule } from '../../servers/servers.module.js';
import { ServersService } from '../../servers/servers.service.js';
import { HostedServers } from './hosted-servers.js';

@Module({
  imports: [ServersModule],
  providers: [
    {
      provide: HostedServers,
      inject: [ServersService],
      useFactory: (servers: ServersService) =>
        new HostedServers((tenant, server) => servers.loadPublished(tenant, server)),
    },
  ],
  exports: [HostedServers],
})
export class CatalogueModule {}
