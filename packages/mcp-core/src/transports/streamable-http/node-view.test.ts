import { expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import type { TracedMessage } from '../../ports/session-tracer.js';
import type { ToolRunner } from '../../ports/tool-runner.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTools, Gate } from '../../testing/fixture-server.js';
import { ScriptedClient } from '../../testing/scripted-client.js';
import { turnOver } from '../../testing/turn.js';

/** An endpoint whose tools report progress and then wait at a gate that no signal opens. */
async function setUp() {
  const clock = new FakeClock();
  const gate = new Gate();
  const told: (TracedMessage | 'ended')[] = [];
  const endpoint = createMcpEndpoint({
    clock,
    nodeId: 'a',
    tracer: { message: (_session, message) => told.push(message), ended: () => told.push('ended') },
  });
  const runner: ToolRunner = {
    async run(_call, context) {
      context.progress(1, 2, 'half');
      await gate.endure(context.signal);
      return { content: [] };
    },
  };
  const client = new ScriptedClient(endpoint, { snapshot: fixtureSnapshot(fixtureTools(gate)), host: { runner } });
  await client.open();
  const key = { server: 'fixture', owner: 'owner', id: client.sessionId as string };
  return { clock, gate, told, client, endpoint, view: endpoint.view, key };
}

it('shows what runs, of whom, since when and how far it is', async () => {
  const { view, client, gate, clock, key } = await setUp();
  const startedAt = clock.now();
  const answer = client.call('add', { a: 1, b: 2 }, { progressToken: 0 }, { id: 'x' });
  await gate.entered();
  const [call] = view.calls(({ sessionId }) => sessionId === key.id, 10);
  expect(call).toMatchObject({
    requestId: 'x',
    method: 'tools/call',
    tool: 'add',
    startedAt,
    sessionId: key.id,
    owner: 'owner',
    client: { name: 'scripted' },
    progress: { value: 1, total: 2, message: 'half' },
  });
  expect(view.session(key)).toMatchObject({ inFlight: 1, streams: [{ kind: 'call', openedAt: startedAt, events: 1 }] });
  gate.open();
  await answer.finished();
  expect([view.calls(() => true, 10), view.session(key)?.inFlight]).toEqual([[], 0]);
});

it('stops a request and tells its client, and says so when the work has stopped, not before', async () => {
  const { view, client, gate } = await setUp();
  const answer = client.call('add', { a: 1, b: 2 });
  await gate.entered();
  let stopped = false;
  const [call] = view.calls(() => true, 1);
  const stopping = view.cancel(call?.callId as number, 'Cancelled by somebody')?.then(() => (stopped = true));
  expect((await answer.finished()).message?.error).toMatchObject({ code: -32603, message: 'Cancelled by somebody' });
  expect(gate.signals[0]?.aborted).toBe(true);
  await turnOver();
  expect(stopped).toBe(false);
  gate.open();
  await stopping;
  expect(stopped).toBe(true);
  expect(view.cancel(call?.callId as number, 'again')).toBeUndefined();
});

it('ends a session in two parts: for all in the store, and what it holds here', async () => {
  const { view, client, gate, key } = await setUp();
  const stream = client.get();
  await turnOver();
  client.call('add', { a: 1, b: 2 });
  await gate.entered();
  expect(await view.remove(key)).toBe(true);
  expect(await view.remove(key)).toBe(false);
  expect(view.letGo(key)).toEqual({ calls: 1, streams: 1 });
  await stream.finished();
  expect([view.letGo(key), view.session(key), await view.stored(key)]).toEqual([undefined, undefined, undefined]);
  gate.open();
});

it('ends what stateless callers have open, and nothing of sessions', async () => {
  const { view, client, gate, key } = await setUp();
  const listen = client.modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const call = client.modern('tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
  client.call('add', { a: 1, b: 2 });
  await gate.entered(2);
  expect(view.endStateless(({ owner }) => owner === 'other', 'Ended')).toEqual({ calls: 0, streams: 0 });
  expect(view.endStateless(({ owner }) => owner === 'owner', 'Ended')).toEqual({ calls: 1, streams: 1 });
  expect((await listen.finished()).messages.at(-1)?.result).toBeDefined();
  expect((await call.finished()).message?.error?.message).toBe('Ended');
  expect(view.session(key)?.inFlight).toBe(1);
  gate.open();
});

it('tells a tracer each message of a session once, and never what was in it', async () => {
  const { client, gate, told } = await setUp();
  const answer = client.call('add', { a: 1, b: 2 }, { progressToken: 0 }, { id: 'x' });
  await gate.entered();
  gate.open();
  await answer.finished();
  await client.delete().finished();
  const words = told.map((one) =>
    one === 'ended' ? one : [one.direction, one.kind, one.method, one.name, one.requestId].filter(Boolean).join(' '),
  );
  expect(words).toEqual([
    'client request initialize 1',
    'server response initialize 1',
    'client notification notifications/initialized',
    'client request tools/call add x',
    'server stream open',
    'server notification notifications/progress',
    'server response tools/call add x',
    'server stream close',
    'ended',
  ]);
  expect(JSON.stringify(told)).not.toMatch(/half|"a":1/);
});

it('tells a tracer of each connection which stream it shows', async () => {
  const { client, gate, told, view, key } = await setUp();
  const standing = client.get();
  await turnOver();
  const answer = client.call('add', { a: 1, b: 2 }, { progressToken: 0 });
  await gate.entered();
  const [one, two] = view.session(key)?.streams.map(({ stream }) => stream) ?? [];
  gate.open();
  await answer.finished();
  await client.delete().finished();
  await standing.finished();
  const streams = told.filter((event) => event !== 'ended').filter(({ kind }) => kind === 'stream');
  expect(streams.map(({ name, stream }) => [name, stream])).toEqual([
    ['open', one],
    ['open', two],
    ['close', two],
    ['close', one],
  ]);
  expect(new Set([one, two, undefined]).size).toBe(3);
});
