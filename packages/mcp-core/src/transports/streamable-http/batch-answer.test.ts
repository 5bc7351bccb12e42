import fc from 'fast-check';
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
  return { client, batch, clock, gate, network, endpoint };
}

/** Elements of every kind, as a careless client might send them: ids come twice, some are nothing at all. */
const element: fc.Arbitrary<Json> = fc.oneof(
  fc.record({
    jsonrpc: fc.constant('2.0'),
    id: fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constantFrom('1', '')),
    method: fc.constantFrom('ping', 'nope', 'tools/list'),
  }),
  fc.record({
    jsonrpc: fc.constant('2.0'),
    id: fc.integer({ min: 0, max: 2 }),
    method: fc.constant('tools/call'),
    params: fc.record({ name: fc.constantFrom('progress', 'crash', 'crash_later', 'count', 'log', 'nope') }),
  }),
  fc.constantFrom(7, null, [], {}, { jsonrpc: '2.0', id: 3 }, { jsonrpc: '1.0', id: 'old', method: 'ping' }),
  fc.record({ jsonrpc: fc.constant('2.0'), method: fc.constantFrom('notifications/initialized', 'odd') }),
);
/** The id that the answer to an element must have; undefined when it gets none. */
function answeredAs(item: Json): Json {
  if (item?.jsonrpc === '2.0' && item.method !== undefined && item.id === undefined) return undefined;
  return typeof item?.id === 'undefined' ? null : item.id;
}

const said = ({ id, result, error }: Json) => [id, error?.code ?? result.content[0].text];

describe('the answer to a batch', () => {
  it('holds one answer for each element that wants one, whatever comes, and ends (wire B9, RPC-03, RPC-06)', async () => {
    const { client } = await setUp();
    const accept = fc.constantFrom('application/json', 'text/event-stream', 'application/json, text/event-stream');
    await fc.assert(
      fc.asyncProperty(fc.array(element, { minLength: 1, maxLength: 12 }), accept, async (items, accepted) => {
        const answer = await client.post(items, { ...client.sessionHeaders, accept: accepted }).finished();
        const wanted = items.map(answeredAs).filter((id) => id !== undefined);
        const given: Json[] = answer.message ?? answer.messages.filter((message) => !('method' in message));
        const ids = given.map(({ id = null }) => JSON.stringify(id));
        if (!answer.streaming) expect(ids).toEqual(wanted.map((id) => JSON.stringify(id)));
        expect(ids.toSorted()).toEqual(wanted.map((id) => JSON.stringify(id)).toSorted());
      }),
    );
  });
});

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
