import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { InMemoryEventLog } from '../../memory/event-log.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTools, Gate } from '../../testing/fixture-server.js';
import { twoNodes } from '../../testing/http-sse-nodes.js';
import { sessionsOf } from '../../testing/list-sessions.js';
import { Network } from '../../testing/remote-ports.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

async function setUp() {
  const clock = new FakeClock();
  const gate = new Gate();
  const endpoint = createMcpEndpoint({ clock });
  const client = new ScriptedClient(endpoint, { snapshot: fixtureSnapshot(fixtureTools(gate)) });
  await client.open();
  return { client, clock, gate, endpoint };
}

describe('closing the endpoint', () => {
  it('closes standalone streams at once with a hint to come back (wire B13, SSE-06)', async () => {
    const { client, endpoint } = await setUp();
    const stream = client.get();
    await stream.until(() => stream.streaming);
    await endpoint.close({ graceMs: 1_000 });
    expect([stream.done, stream.frames.at(-1)]).toEqual([true, { retry: 1_000 }]);
  });

  it('lets running calls finish within the grace time and is done when they are (SSE-06)', async () => {
    const { client, endpoint, gate, clock } = await setUp();
    const call = client.call('block');
    await gate.entered();
    const closed = endpoint.close({ graceMs: 10_000 });
    gate.open();
    await closed;
    expect(call.message.result.content[0].text).toBe('let through');
    expect(clock.pending).toBe(0);
  });

  it('answers -32603 to calls that outlast it, and stops them', async () => {
    const { client, endpoint, gate, clock } = await setUp();
    const json = client.call('block');
    const stream = client.call('speak_and_block');
    const modern = client.modern('tools/call', { name: 'block' });
    await gate.entered(3);
    const closed = endpoint.close({ graceMs: 1_000 });
    await Promise.resolve();
    await Promise.resolve();
    clock.advance(1_000);
    await closed;
    for (const answer of [json, stream, modern]) {
      expect(answer.done).toBe(true);
      expect(answer.response.error).toEqual({ code: -32603, message: 'The server is shutting down' });
    }
    expect(gate.signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
    expect(clock.pending).toBe(0);
  });

  it('refuses new requests with 503, and may be called twice', async () => {
    const { client, endpoint } = await setUp();
    await Promise.all([endpoint.close({ graceMs: 0 }), endpoint.close({ graceMs: 0 })]);
    const refused = client.modern('tools/list');
    expect([refused.status, refused.headers['retry-after'], refused.message.error.code]).toEqual([503, '1', -32603]);
  });

  it('shows what it holds', async () => {
    const { client, endpoint, gate } = await setUp();
    const stream = client.get();
    const call = client.call('block');
    const listen = client.modern('subscriptions/listen', { notifications: {} });
    await gate.entered();
    await stream.until(() => stream.streaming);
    expect(endpoint.load).toEqual({ inFlight: 1, streams: 1, listens: 1 });
    expect(await sessionsOf(endpoint)).toMatchObject([
      { server: 'fixture', client: { name: 'scripted', revision: '2025-11-25' }, inFlight: 1, streams: 1 },
    ]);
    stream.disconnect();
    listen.disconnect();
    gate.open();
    await call.finished();
    expect(endpoint.load).toEqual({ inFlight: 0, streams: 0, listens: 0 });
  });
});

describe('closing the endpoint on a log behind a network', () => {
  async function setUpRemote() {
    const clock = new FakeClock();
    const gate = new Gate();
    const network = new Network();
    const endpoint = createMcpEndpoint({ clock, eventLog: network.remote(new InMemoryEventLog(clock)) });
    const client = new ScriptedClient(endpoint, { snapshot: fixtureSnapshot(fixtureTools(gate)) });
    await client.open();
    const call = client.call('speak_and_block');
    await call.until(() => call.messages.length === 1);
    return { client, clock, gate, network, endpoint, call };
  }
  const turns = async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  };

  it('shows an answer of the last moment before it is done (SSE-06)', async () => {
    const { clock, gate, network, endpoint, call } = await setUpRemote();
    network.slow.add('append');
    const asked = network.asked('append');
    let closed = false;
    const closing = endpoint.close({ graceMs: 10_000 }).then(() => (closed = true));
    gate.open();
    await asked;
    await turns();
    expect(closed).toBe(false);
    network.release();
    await closing;
    expect([call.done, call.response.result.content[0].text]).toEqual([true, 'let through']);
    expect(clock.pending).toBe(0);
  });

  it('shows calls that outlast the grace that they were cut', async () => {
    const { clock, endpoint, call } = await setUpRemote();
    const closing = endpoint.close({ graceMs: 1_000 });
    await turns();
    clock.advance(1_000);
    await closing;
    expect(call.response.error).toEqual({ code: -32603, message: 'The server is shutting down' });
    expect(call.done).toBe(true);
  });

  it('waits a second for a log that does not answer, and no longer', async () => {
    const { clock, gate, network, endpoint } = await setUpRemote();
    network.slow.add('append');
    const asked = network.asked('append');
    const closing = endpoint.close({ graceMs: 10_000 });
    gate.open();
    await asked;
    await turns();
    clock.advance(1_000);
    await closing;
    network.release();
  });
});

describe('sending away', () => {
  it('ends listens and streams of sessions, takes no new ones until that is over, and serves the rest', async () => {
    const { client, endpoint, gate } = await setUp();
    const stream = client.get();
    const listen = client.modern('subscriptions/listen', { notifications: {} });
    const call = client.call('speak_and_block');
    await gate.entered();
    await stream.until(() => stream.streaming);
    endpoint.sendAway();
    await listen.finished();
    expect([stream.done, stream.frames.at(-1), listen.response.result !== undefined]).toEqual([
      true,
      { retry: 1_000 },
      true,
    ]);
    const lastEventId = call.frames.find(({ id }) => id !== undefined)?.id as string;
    for (const more of [{}, { 'last-event-id': lastEventId }]) {
      const refused = await client.get(more).finished();
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    }
    gate.open();
    expect((await call.finished()).response.result.content[0].text).toBe('let through');
    expect((await client.call('echo', { text: 'x' }).finished()).status).toBe(200);
    expect([endpoint.load, endpoint.sessionsHere]).toEqual([{ inFlight: 0, streams: 0, listens: 0 }, 1]);
    endpoint.takeStreams();
    const again = client.get();
    await again.until(() => again.streaming);
    expect(endpoint.load).toEqual({ inFlight: 0, streams: 1, listens: 0 });
    again.disconnect();
  });

  it.each([
    ['in memory', false],
    ['behind a network', true],
  ])('opens no session of HTTP+SSE, with stores %s, and keeps none of those it refused', async (_where, remote) => {
    const { a, b, client } = twoNodes(remote);
    const old = client();
    a.sendAway();
    const early = await (await old.connect(a)).finished();
    a.takeStreams();
    const opening = old.connect(a);
    a.sendAway();
    const late = await (await opening).finished();
    for (const { status, headers } of [early, late]) expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(await sessionsOf(b)).toEqual([]);
    await old.open(b);
    expect(await sessionsOf(b)).toMatchObject([{ transport: 'http+sse', node: 'b' }]);
  });
});
