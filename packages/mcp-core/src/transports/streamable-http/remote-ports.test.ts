import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { InMemoryEventLog } from '../../memory/event-log.js';
import { InMemoryNodeBus } from '../../memory/node-bus.js';
import { InMemorySessionStore } from '../../memory/session-store.js';
import { InMemorySessionTurns } from '../../memory/session-turns.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTools, Gate } from '../../testing/fixture-server.js';
import { sessionsOf } from '../../testing/list-sessions.js';
import type { RecordingResponder } from '../../testing/recording-responder.js';
import { Network } from '../../testing/remote-ports.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});

afterEach(async () => {
  await settle();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

/** A client on an endpoint whose stores are reached over a network. */
async function setUp(revision = '2025-11-25') {
  const clock = new FakeClock();
  const gate = new Gate();
  const network = new Network();
  const sessions = new InMemorySessionStore(clock);
  const shared = {
    clock,
    sessionStore: network.remote(sessions),
    sessionTurns: network.remote(new InMemorySessionTurns(sessions, clock)),
    eventLog: network.remote(new InMemoryEventLog(clock)),
    nodeBus: new InMemoryNodeBus(),
  };
  const snapshot = fixtureSnapshot(fixtureTools(gate), { sessionTtlMs: 100_000 });
  const endpoint = createMcpEndpoint({ ...shared, nodeId: 'a' });
  const client = new ScriptedClient(endpoint, { snapshot });
  await client.open(revision);
  const onNode = (nodeId: string) => {
    const other = new ScriptedClient(createMcpEndpoint({ ...shared, nodeId }), { snapshot });
    other.sessionId = client.sessionId;
    other.revision = client.revision;
    return other;
  };
  return { client, clock, gate, network, endpoint, onNode };
}

/** Lets everything that is ready happen, microtasks and rejections nobody handled included. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const methods = ({ messages }: RecordingResponder) => messages.map(({ method }) => method ?? 'response');
const lastId = ({ frames }: RecordingResponder) => frames.findLast(({ id }) => id !== undefined)?.id;

describe('stores behind a network', () => {
  it('serve calls, streams and resumption as those in memory do', async () => {
    const { client, gate } = await setUp();
    expect((await client.request('ping').finished()).message.result).toEqual({});
    const whole = await client.call('progress', {}, { progressToken: 1 }).finished();
    expect(methods(whole)).toEqual([...Array(3).fill('notifications/progress'), 'response']);
    const answer = client.call('speak_and_block');
    await answer.until(() => answer.messages.length === 1);
    answer.disconnect();
    gate.open();
    await settle();
    const resumed = await client.get({ 'last-event-id': lastId(answer) }).finished();
    expect(methods(resumed)).toEqual(['notifications/message', 'response']);
  });

  it('hear of a client that left while they were asked, and hold nothing for it (MEM-01)', async () => {
    const { client, network, endpoint } = await setUp();
    network.slow.add('*');
    const stream = client.get();
    stream.disconnect();
    network.release();
    await settle();
    expect(endpoint.load.streams).toBe(0);
    expect(await sessionsOf(endpoint)).toMatchObject([{ streams: 0 }]);
  });

  it('show a stream on the newest connection also when an older one, on another node, is still waiting for them', async () => {
    const { client, network, onNode } = await setUp();
    const other = onNode('b');
    network.slow.add('follow');
    const asked = network.asked('follow');
    const first = client.get();
    await asked;
    const askedAgain = network.asked('follow');
    const second = other.get();
    await askedAgain;
    network.release();
    await settle();
    expect([first.done, second.done]).toEqual([true, false]);
  });

  it('do not let a tool run whose call was cancelled while its state was read (wire B24)', async () => {
    const { client, network, gate } = await setUp();
    network.slow.add('take');
    const asked = network.asked('take');
    const call = client.call('count_and_block', {}, undefined, { id: 'c' });
    await asked;
    client.notify('notifications/cancelled', { requestId: 'c' });
    await call.finished();
    network.release();
    await settle();
    expect(gate.entries).toBe(0);
  });

  it('do not let requests in that were waiting for them when the endpoint closed (SSE-06)', async () => {
    const { client, network, endpoint } = await setUp();
    network.slow.add('*');
    const stream = client.get();
    const call = client.call('block');
    const closed = endpoint.close({ graceMs: 0 });
    network.release();
    await closed;
    for (const answer of [stream, call]) expect((await answer.finished()).status).toBe(503);
    expect(endpoint.load).toEqual({ inFlight: 0, streams: 0, listens: 0 });
  });
});

describe('a session store that is away', () => {
  it('is a 503 for every verb, never a 404, and the session is there when it is back', async () => {
    const { client, network } = await setUp();
    network.away.add('*');
    for (const answer of [client.request('ping'), client.notify('notifications/x'), client.get(), client.delete()]) {
      await answer.finished();
      expect([answer.status, answer.headers['retry-after'], answer.message.error.code]).toEqual([503, '1', -32603]);
      expect(answer.body).not.toContain('secret');
    }
    const { sessionId } = client;
    const opened = await client.open();
    expect([opened.status, opened.message.error.code]).toEqual([503, -32603]);
    client.sessionId = sessionId;
    network.away.clear();
    expect((await client.request('ping').finished()).message.result).toEqual({});
  });

  it('for a moment does not cost a session that something holds (seed Q2)', async () => {
    const { client, clock, network, endpoint } = await setUp();
    const stream = client.get();
    await stream.until(() => stream.streaming);
    network.away.add('touch');
    clock.advance(50_000);
    await settle();
    network.away.clear();
    for (let at = 0; at < 10; at++) {
      clock.advance(10_000);
      await settle();
    }
    expect(await sessionsOf(endpoint)).toHaveLength(1);
    expect(stream.done).toBe(false);
  });
});

describe('an event log that is away', () => {
  it('when a call wants to speak is told to the client, which waits no longer (seed J5)', async () => {
    for (const broken of ['open', 'follow', '*']) {
      const { client, network, gate, endpoint } = await setUp();
      const touched = network.asked('touch');
      const answer = client.call('speak_and_block', {}, undefined, { id: 'w' });
      await touched;
      network.away.add(broken);
      await answer.finished();
      expect([broken, answer.response.id, answer.response.error.code]).toEqual([broken, 'w', -32603]);
      expect(gate.signals[0]?.aborted ?? true).toBe(true);
      network.away.clear();
      await settle();
      expect(endpoint.load.inFlight).toBe(0);
      expect(await sessionsOf(endpoint)).toMatchObject([{ inFlight: 0, streams: 0 }]);
    }
  });

  it('when the answer is there does not keep it from a client that is connected', async () => {
    for (const broken of ['append', 'end']) {
      const { client, network, gate, endpoint } = await setUp();
      const answer = client.call('speak_and_block', { word: 'w' });
      await answer.until(() => answer.messages.length === 1);
      network.away.add(broken);
      gate.open();
      await answer.finished();
      expect([broken, answer.response.result.content[0].text]).toEqual([broken, 'let through']);
      network.away.clear();
      await settle();
      expect(await sessionsOf(endpoint)).toMatchObject([{ inFlight: 0, streams: 0 }]);
    }
  });

  it('for one session does not keep the others from hearing of a change', async () => {
    const log = new InMemoryEventLog(new FakeClock());
    let broken: string | undefined;
    const open: InMemoryEventLog['open'] = (session, stream, bounds) => {
      if (session.id === broken) return Promise.reject(new Error('redis://secret is away')) as never;
      return log.open(session, stream, bounds);
    };
    const eventLog = new Proxy(log, {
      get: (_target, name) => {
        if (name === 'open') return open;
        return (Reflect.get(log, name) as (...args: unknown[]) => unknown).bind(log);
      },
    });
    const snapshot = fixtureSnapshot();
    const endpoint = createMcpEndpoint({ eventLog });
    const [first, second] = [new ScriptedClient(endpoint, { snapshot }), new ScriptedClient(endpoint, { snapshot })];
    await first.open();
    await second.open();
    const stream = second.get();
    await stream.until(() => stream.streaming);
    broken = first.sessionId;
    await endpoint.changed('fixture', { kind: 'list', list: 'tools' }, snapshot.settings);
    expect(methods(stream)).toEqual(['notifications/tools/list_changed']);
  });

  it('when a stream is resumed closes the connection and holds nothing', async () => {
    const { client, network, endpoint } = await setUp();
    network.away.add('follow');
    const stream = await client.get().finished();
    expect(stream.status).toBe(200);
    expect(endpoint.load.streams).toBe(0);
    expect(await sessionsOf(endpoint)).toMatchObject([{ streams: 0 }]);
  });
});
