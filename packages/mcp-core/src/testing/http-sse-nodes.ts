import { createMcpEndpoint, type EndpointOptions } from '../create-endpoint.js';
import { InMemoryChangeBus } from '../memory/change-bus.js';
import { InMemoryEventLog } from '../memory/event-log.js';
import { InMemoryNodeBus } from '../memory/node-bus.js';
import { InMemorySessionStore } from '../memory/session-store.js';
import { InMemorySessionTurns } from '../memory/session-turns.js';
import { askingTools } from './asking-tools.js';
import { FakeClock } from './fake-clock.js';
import { fixtureSnapshot, fixtureTools, Gate } from './fixture-server.js';
import { MortalNodes } from './mortal-nodes.js';
import { Network } from './remote-ports.js';
import { ScriptedSseClient } from './scripted-sse-client.js';

/** Two nodes on one set of stores, behind a network or not, and a client of HTTP+SSE that posts to B. */
export function twoNodes(remote = false, options: EndpointOptions = {}) {
  const clock = new FakeClock();
  const gate = new Gate();
  const network = new Network();
  const nodes = new MortalNodes();
  const far = <T extends object>(port: T): T => (remote ? network.remote(port) : port);
  const store = new InMemorySessionStore(clock);
  const shared = {
    clock,
    sessionStore: far(store),
    sessionTurns: far(new InMemorySessionTurns(store, clock)),
    eventLog: far(new InMemoryEventLog(clock)),
    nodeBus: new InMemoryNodeBus(),
    changeBus: new InMemoryChangeBus(),
    liveNodes: nodes,
    ...options,
  };
  const snapshot = fixtureSnapshot([...fixtureTools(gate), ...askingTools()]);
  const a = createMcpEndpoint({ ...shared, nodeId: 'a' });
  const b = createMcpEndpoint({ ...shared, nodeId: 'b' });
  const client = (more: ConstructorParameters<typeof ScriptedSseClient>[1]['host'] = {}, settings = {}) =>
    new ScriptedSseClient(b, {
      snapshot: { ...snapshot, settings: { ...snapshot.settings, ...settings } },
      host: more,
    });
  return { a, b, clock, gate, network, nodes, store, snapshot, client };
}
