import type { Clock } from '@gantry/mcp-core';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { NodeCalls } from '../../infra/nodes/node-calls.js';
import { CLOCK, NODE_ID } from '../../infra/tokens.js';
import { AuditModule } from '../audit/audit.module.js';
import { NodeSelf } from '../nodes/node-self.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { ServersModule } from '../servers/servers.module.js';
import { ServersService } from '../servers/servers.service.js';
import { CatalogueModule } from '../tools/catalogue/catalogue.module.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { LiveSessions } from './view/live-sessions.js';
import { NodeSessions } from './view/node-sessions.js';
import { ServerNames } from './view/server-names.js';
import { StatelessClients } from './view/stateless-clients.js';
import { TraceRings } from './view/trace-rings.js';

/** Live sessions and stateless clients of all nodes, as people see and end them. */
@Module({
  imports: [AuditModule, NodesModule, ServersModule, CatalogueModule],
  controllers: [SessionsController],
  providers: [
    SessionsService,
    { provide: TraceRings, inject: [CLOCK], useFactory: (clock: Clock) => new TraceRings(() => clock.now()) },
    {
      provide: StatelessClients,
      inject: [CLOCK],
      useFactory: (clock: Clock) => new StatelessClients(() => clock.now()),
    },
    {
      provide: ServerNames,
      inject: [ServersService],
      useFactory: (servers: ServersService) => new ServerNames((tenantId) => servers.names(tenantId)),
    },
    {
      provide: NodeSessions,
      inject: [NODE_ID, TraceRings, StatelessClients, CLOCK, NodeSelf],
      useFactory: (nodeId: string, rings: TraceRings, clients: StatelessClients, clock: Clock, self: NodeSelf) =>
        new NodeSessions({ nodeId, rings, clients, clock, draining: () => self.draining }),
    },
    {
      provide: LiveSessions,
      inject: [NodeSessions, NodeCalls, ServerNames, CLOCK],
      useFactory: (here: NodeSessions, nodes: NodeCalls, servers: ServerNames, clock: Clock) =>
        new LiveSessions({ here, nodes, servers, clock }),
    },
  ],
  exports: [LiveSessions, NodeSessions, StatelessClients, TraceRings],
})
export class SessionsModule implements OnModuleInit {
  constructor(
    @Inject(NodeSessions) private readonly here: NodeSessions,
    @Inject(NodeCalls) private readonly calls: NodeCalls,
  ) {}

  onModuleInit(): void {
    this.here.answer(this.calls);
  }
}
