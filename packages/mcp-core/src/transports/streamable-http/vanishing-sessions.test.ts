import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { InMemorySessionStore } from '../../memory/session-store.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTools, Gate } from '../../testing/fixture-server.js';
import { Network } from '../../testing/remote-ports.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

/** A session whose store answers late when told so. */
async function setUp() {
  const clock = new FakeClock();
  const gate = new Gate();
  const network = new Network();
  const sessionStore = network.remote(new InMemorySessionStore(clock));
  const endpoint = createMcpEndpoint({ clock, sessionStore });
  const client = new ScriptedClient(endpoint, { snapshot: fixtureSnapshot(fixtureTools(gate)) });
  await client.open();
  return { client, gate, network, endpoint };
}

describe('a session', () => {
  it.each(['call', 'get', 'delete'] as const)(
    'that ends while a %s waits for it is answered as one that is not there (seed K4)',
    async (verb) => {
      const { client, network, endpoint } = await setUp();
      network.slow.add('touch').add('get');
      const asked = Promise.race([network.asked('touch'), network.asked('get')]);
      const late = verb === 'call' ? client.call('add', { a: 1, b: 2 }) : client[verb]();
      await asked;
      network.slow.clear();
      expect(await client.delete().finished()).toMatchObject({ status: 204 });
      network.release();
      await late.finished();
      expect([late.status, late.message?.error.code]).toEqual([404, -32600]);
      expect(endpoint.load).toEqual({ inFlight: 0, streams: 0, listens: 0 });
    },
  );

  it('takes stray messages and goes on: answers nobody waits for, cancels of nothing, unknown notifications (seed M4)', async () => {
    const { client, gate } = await setUp();
    const call = client.call('block');
    await gate.entered();
    const strays = [
      { jsonrpc: '2.0', id: 4711, result: {} },
      { jsonrpc: '2.0', id: 'q', error: { code: -1, message: 'no' } },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4711 } },
      { jsonrpc: '2.0', method: 'notifications/cancelled' },
      { jsonrpc: '2.0', method: 'notifications/of/tomorrow', params: { a: 1 } },
    ];
    for (const stray of strays) {
      const answer = await client.post(stray, client.sessionHeaders).finished();
      expect([stray, answer.status, answer.body]).toEqual([stray, 202, undefined]);
    }
    gate.open();
    expect((await call.finished()).message.result.content).toEqual([{ type: 'text', text: 'let through' }]);
    expect((await client.request('ping').finished()).message.result).toEqual({});
  });
});
