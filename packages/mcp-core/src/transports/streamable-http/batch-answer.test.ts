import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { InMemoryEventLog } from '../../memory/event-log.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTools, Gate } from '../../testing/fixture-server.js';
import type { Json } from '../../testing/json.js';
import { Network } from '../../testing/remote-ports.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

/** A client in a session of 2025-03-26 whose event log is reached over a network. */
async function setUp() {
  const clock = new FakeClock();
  const gate = new Gate();
  const network = new Network();
  const eventLog = network.remote(new InMemoryEventLog(clock));
  const endpoint = createMcpEndpoint({ clock, eventLog });
  const client = new ScriptedClient(endpoint, {
    snapshot: fixtureSnapshot(fixtureTools(gate), { keepAliveMs: 4_000 }),
  });
  await client.open('2025-03-26');
  const batch = (...names: string[]) => {
    const calls = names.map((name, at) => ({ jsonrpc: '2.0', id: at + 1, method: 'tools/call', params: { name } }));
    return client.post(calls, client.sessionHeaders);
  };
  return { batch, clock, gate, network, endpoint };
}

const said = ({ id, result, error }: Json) => [id, error?.code ?? result.content[0].text];

describe('the stream of a batch', () => {
  it('whose log cannot show it tells every request still running, and stops it', async () => {
    const { batch, gate, network, clock, endpoint } = await setUp();
    network.away.add('follow');
    const answer = batch('block', 'boom', 'block');
    await gate.entered(2);
    clock.advance(4_000);
    await answer.finished();
    expect(answer.messages.map(said)).toEqual([
      [1, -32603],
      [3, -32603],
    ]);
    expect(gate.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(endpoint.load.inFlight).toBe(0);
  });

  it('gives whoever is connected the answers its log does not take, each once, and ends', async () => {
    const { batch, gate, network, clock } = await setUp();
    const answer = batch('block', 'block');
    await gate.entered(2);
    clock.advance(4_000);
    await answer.until(() => answer.streaming);
    network.away.add('append');
    gate.open();
    await answer.finished();
    expect(answer.messages.map(said)).toEqual([
      [1, 'let through'],
      [2, 'let through'],
    ]);
    expect(answer.frames.some(({ id }) => id !== undefined)).toBe(false);
  });
});
