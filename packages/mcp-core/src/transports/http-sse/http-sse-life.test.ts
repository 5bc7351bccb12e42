import { describe, expect, it } from 'vitest';
import { InMemoryEventLog } from '../../memory/event-log.js';
import type { StreamFollower } from '../../ports/event-log.js';
import type { SessionKey } from '../../ports/session-store.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { twoNodes } from '../../testing/http-sse-nodes.js';
import { sessionsOf } from '../../testing/list-sessions.js';
import type { ScriptedSseClient } from '../../testing/scripted-sse-client.js';
import { turnOver } from '../../testing/turn.js';

const ping = { jsonrpc: '2.0', id: 'p', method: 'ping' };
const statusOf = async (client: ScriptedSseClient, node = client.node) =>
  (await client.post(ping, { node }).finished()).status;
const advance = async (clock: { advance(ms: number): void }, ms: number) => {
  // Answers of a store come between two timers.
  for (let left = ms; left > 0; left -= 5_000) {
    clock.advance(Math.min(left, 5_000));
    await turnOver();
  }
};

describe.each([
  ['in memory', false],
  ['behind a network', true],
])('a session that is a stream, with stores %s', (_where, remote) => {
  const opened = async (more = {}) => {
    const parts = twoNodes(remote);
    const old = parts.client(more);
    await old.open(parts.a);
    return { ...parts, old };
  };

  it('ends with its stream, and so does its work on every node (wire A3, wire A5)', async () => {
    const { a, b, gate, old } = await opened();
    await old.send('tools/call', { name: 'block' }, b);
    await old.send('tools/call', { name: 'block' }, a);
    await gate.entered(2);
    old.stream.disconnect();
    await turnOver();
    expect(gate.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    for (const node of [a, b]) expect(await statusOf(old, node)).toBe(404);
    expect(await sessionsOf(b)).toEqual([]);
    expect([a.sessionsHere, b.sessionsHere]).toEqual([0, 0]);
  });

  it('ends its stream when it is ended on another node (wire A5)', async () => {
    const { b, old } = await opened();
    const [session] = await sessionsOf(b);
    expect(session).toMatchObject({
      transport: 'http+sse',
      node: 'a',
      client: { name: 'old', revision: '2024-11-05' },
    });
    await b.endSession(session as NonNullable<typeof session>);
    await old.stream.finished();
    expect(await statusOf(old)).toBe(404);
  });

  it('lives as long as its stream, however long nothing is said', async () => {
    const { clock, old } = await opened({});
    await advance(clock, 3 * 60 * 60 * 1_000);
    expect(await statusOf(old)).toBe(202);
    expect(old.stream.done).toBe(false);
  });

  it('ends at once on every node that hears that its own is gone', async () => {
    const { b, gate, nodes, old } = await opened();
    await old.send('tools/call', { name: 'block' }, b);
    await gate.entered();
    nodes.die('a');
    await turnOver();
    expect(gate.signals[0]?.aborted).toBe(true);
    expect(await statusOf(old)).toBe(404);
    expect(await sessionsOf(b)).toEqual([]);
  });

  it('is told that the outcome is unknown of a call whose node is gone, once, and of no other', async () => {
    const { a, b, clock, gate, nodes, old } = await opened();
    const lost = await old.send('tools/call', { name: 'block' }, b);
    const kept = await old.send('tools/call', { name: 'block' }, a);
    await gate.entered(2);
    await advance(clock, 1_000);
    const done = await old.send('tools/call', { name: 'block' }, b);
    await gate.entered(3);
    await advance(clock, 1_000);
    gate.open();
    await Promise.all([old.answer(kept), old.answer(done), old.answer(lost)]);
    const again = await old.send('tools/call', { name: 'block' }, b);
    await gate.entered(4);
    await advance(clock, 1_000);
    nodes.die('b');
    expect((await old.answer(again)).error).toEqual({
      code: -32603,
      message: 'Outcome unknown: the node that ran this request has stopped',
    });
    await turnOver();
    const answers = old.stream.messages.filter(({ id }) => [lost, kept, done, again].includes(id));
    expect(answers.filter(({ error }) => error)).toHaveLength(1);
    expect(answers).toHaveLength(4);
    expect((await old.request('ping', {}, a)).result).toEqual({});
  });

  it('is not there for a message that comes when its node is known to be gone', async () => {
    const { b, nodes, old } = await opened();
    nodes.die('a', true);
    expect(await statusOf(old)).toBe(404);
    await turnOver();
    expect(await sessionsOf(b)).toEqual([]);
  });

  it('is forgotten by a node that only passed a message on', async () => {
    const { a, b, clock, old } = await opened();
    await old.request('ping', {}, b);
    expect(b.sessionsHere).toBe(1);
    await advance(clock, 20_000);
    expect([a.sessionsHere, b.sessionsHere]).toEqual([1, 0]);
    expect((await old.request('ping', {}, b)).result).toEqual({});
  });

  it('goes with its node: at once when idle, after the answer when not', async () => {
    const { a, b, client, gate, old } = await opened();
    const busy = client({ owner: 'busy' });
    await busy.open(a);
    const blocked = await busy.send('tools/call', { name: 'block' }, a);
    await gate.entered();
    const closed = a.close({ graceMs: 10_000 });
    await old.stream.finished();
    expect(busy.stream.done).toBe(false);
    expect((await client().connect(a)).status).toBe(503);
    gate.open();
    expect((await busy.answer(blocked)).result.content[0].text).toBe('let through');
    await busy.stream.finished();
    await closed;
    await turnOver();
    expect(await sessionsOf(b)).toEqual([]);
  });

  it('ends with the credential of its stream', async () => {
    const parts = twoNodes(remote);
    const old = parts.client({ expiresAt: parts.clock.now() + 60_000 });
    await old.open(parts.a);
    await advance(parts.clock, 60_000);
    await old.stream.finished();
    await turnOver();
    expect(await statusOf(old)).toBe(404);
  });

  it('ends when its client reads too slowly: what it misses it cannot ask for', async () => {
    const { old } = await opened();
    old.stream.queuedBytes = 2 * 1024 * 1024;
    await old.send('ping');
    await old.stream.finished();
    await turnOver();
    expect(await statusOf(old)).toBe(404);
  });
});

describe('a session that is a stream', () => {
  it('ends soon after the node that held its stream, though its client goes on posting', async () => {
    const { a, b, clock, gate, network, client } = twoNodes(true);
    const old = client();
    await old.open(a);
    await old.send('tools/call', { name: 'block' }, b);
    await gate.entered();
    // The node renews nothing any more, and nobody knows that it is gone.
    network.away.add('touch');
    for (let second = 0; second < 15; second += 5) {
      expect(await statusOf(old)).toBe(202);
      await advance(clock, 5_000);
    }
    await advance(clock, 15_000);
    expect(gate.signals[0]?.aborted).toBe(true);
    expect(await statusOf(old)).toBe(404);
    expect(b.sessionsHere).toBe(0);
  });

  it('ends when something that was said is no longer kept: its client may wait for just that', async () => {
    const followers: StreamFollower[] = [];
    class ForgetfulLog extends InMemoryEventLog {
      override follow(session: SessionKey, stream: string, sequence: number, follower: StreamFollower) {
        followers.push(follower);
        return super.follow(session, stream, sequence, follower);
      }
    }
    const clock = new FakeClock();
    const { a, client } = twoNodes(false, { clock, eventLog: new ForgetfulLog(clock) });
    const old = client();
    await old.open(a);
    followers[0]?.gap(7);
    await old.stream.finished();
    expect(await statusOf(old)).toBe(404);
  });

  it('is not left behind by a client that leaves before it is open', async () => {
    const { a, b, client, network } = twoNodes(true);
    const old = client();
    network.slow.add('create');
    const asked = network.asked('create');
    const connecting = old.connect(a);
    await asked;
    old.stream.disconnect();
    network.release();
    await connecting;
    await turnOver();
    expect(old.stream.frames).toEqual([]);
    expect(await sessionsOf(b)).toEqual([]);
  });

  it('is refused with 503 while the store is away, and never with 404', async () => {
    const { a, client, network } = twoNodes(true);
    const old = client();
    await old.open(a);
    network.away.add('get').add('create');
    const lost = await old.post(ping).finished();
    expect([lost.status, lost.headers['retry-after'], lost.message.error.code]).toEqual([503, '1', -32603]);
    expect((await client({ owner: 'else' }).connect(a)).status).toBe(503);
    network.away.clear();
    expect(await statusOf(old)).toBe(202);
  });

  it('agrees with one of two clients that initialize at once', async () => {
    const { a, b, client } = twoNodes(true);
    const old = client();
    await old.connect(a);
    const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    const hello = (id: number) => ({ jsonrpc: '2.0', id, method: 'initialize', params });
    const [one, two] = [old.post(hello(1), { node: a }), old.post(hello(2), { node: b })];
    await Promise.all([one.finished(), two.finished()]);
    expect([one.status, two.status].sort()).toEqual([202, 400]);
    await turnOver();
    expect(old.stream.messages).toHaveLength(1);
  });
});
