import { expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { InMemorySessionStore } from '../../memory/session-store.js';
import { InMemorySessionTurns } from '../../memory/session-turns.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureSnapshot } from '../../testing/fixture-server.js';
import { Network } from '../../testing/remote-ports.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

async function opened() {
  const clock = new FakeClock();
  const network = new Network();
  const store = new InMemorySessionStore(clock);
  const sessionTurns = new InMemorySessionTurns(store, clock);
  const endpoint = createMcpEndpoint({ clock, sessionStore: network.remote(store), sessionTurns });
  const client = new ScriptedClient(endpoint, { snapshot: fixtureSnapshot() });
  const answer = await client
    .request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    })
    .finished();
  client.sessionId = answer.headers['mcp-session-id'];
  client.revision = '2025-11-25';
  return { client, network };
}

it('takes notifications/initialized only when it is stored, so that the death of the node cannot lose it (wire B21)', async () => {
  const { client, network } = await opened();
  network.slow.add('markInitialized');
  const asked = network.asked('markInitialized');
  const said = client.notify('notifications/initialized');
  await asked;
  await new Promise((resolve) => setImmediate(resolve));
  expect(said.status).toBeUndefined();
  network.release();
  expect((await said.finished()).status).toBe(202);
});

it('lets the client say it again when it could not be stored', async () => {
  const { client, network } = await opened();
  network.away.add('markInitialized');
  expect((await client.notify('notifications/initialized').finished()).status).toBe(503);
  network.away.clear();
  const asked = network.asked('markInitialized');
  expect((await client.notify('notifications/initialized').finished()).status).toBe(202);
  await asked;
});
