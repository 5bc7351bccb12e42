import { McpClient, type McpClientOptions } from '../peers/mcp-client.js';
import { McpServer, type McpServerOptions } from '../peers/mcp-server.js';
import type { ServerConnection } from '../peers/server-connection.js';
import { InMemoryTransport } from '../transports/in-memory/index.js';
import { FakeClock } from './fake-clock.js';
import { Gate } from './fixture-server.js';

interface PeerOptions {
  readonly server?: McpServerOptions;
  readonly client?: McpClientOptions;
  readonly offer?: (server: McpServer, gate: Gate) => unknown;
}

/** A server and a client joined in memory, on one fake clock; what a client was told is kept by method. */
export async function peerPair({ server: serverOptions, client: clientOptions, offer }: PeerOptions = {}) {
  const clock = new FakeClock();
  const gate = new Gate();
  const server = new McpServer({ name: 'pair', version: '1.0.0' }, { clock, ...serverOptions });
  offer?.(server, gate);
  const client = new McpClient({ name: 'tester', version: '2.0.0' }, { clock, ...clientOptions });
  const told: Array<[method: string, params: unknown]> = [];
  for (const method of TOLD) client.onNotification(method, (params) => void told.push([method, params]));
  const connection = await join(server, client);
  return { server, client, connection, clock, gate, told };
}

const TOLD = [
  'notifications/message',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
];

/** Connects a client to a server in memory. */
export async function join(server: McpServer, client: McpClient): Promise<ServerConnection> {
  const [left, right] = InMemoryTransport.pair();
  const connection = await server.connect(left);
  await client.connect(right);
  return connection;
}
