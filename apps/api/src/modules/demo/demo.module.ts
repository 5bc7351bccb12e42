import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { ServersModule } from '../servers/servers.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { DemoService } from './demo.service.js';

@Module({ imports: [TenantsModule, ServersModule, KeysModule], providers: [DemoService], exports: [DemoService] })
export class DemoModule {}
