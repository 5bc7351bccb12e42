import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { InMemoryChangeBus } from '../../memory/change-bus.js';
import { InMemoryEventLog } from '../../memory/event-log.js';
import { InMemoryNodeBus } from '../../memory/node-bus.js';
import { InMemorySessionStore } from '../../memory/session-store.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTool, Gate, text } from '../../testing/fixture-server.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

/** Two nodes on one set of stores, and a tool that closes its stream before it goes on. */
async function setUp(revision: string) {
  const clock = new FakeClock();
  const gate = new Gate();
  const shared = {
    clock,
    sessionStore: new InMemorySessionStore(clock),
    eventLog: new InMemoryEventLog(clock),
    nodeBus: new InMemoryNodeBus(),
    changeBus: new InMemoryChangeBus(),
  };
  const leave = fixtureTool('leave', async ({ retryMs, times = 1 }, context) => {
    for (let time = 0; time < times; time++) {
      context.closeStream(retryMs);
      await gate.pass(context.signal);
    }
    context.log('info', 'back');
    return text('done');
  });
  const snapshot = fixtureSnapshot([leave]);
  const a = new ScriptedClient(createMcpEndpoint({ ...shared, nodeId: 'a' }), { snapshot });
  const b = new ScriptedClient(createMcpEndpoint({ ...shared, nodeId: 'b' }), { snapshot });
  await a.open(revision);
  b.sessionId = a.sessionId;
  b.revision = a.revision;
  return { a, b, gate };
}

const methods = ({ messages }: { messages: { method?: string }[] }) =>
  messages.map(({ method }) => method ?? 'response');

describe('closeStream', () => {
  it('primes the stream, says when to come back, closes; the rest is there on any node (wire B13, RES-06)', async () => {
    const { a, b, gate } = await setUp('2025-11-25');
    const call = a.call('leave', { retryMs: 250 });
    await gate.entered();
    expect([call.done, call.frames]).toEqual([true, [{ id: expect.any(String), data: '' }, { retry: 250 }]]);
    const resumed = b.get({ 'last-event-id': call.frames[0]?.id });
    gate.open();
    await resumed.finished();
    expect(methods(resumed)).toEqual(['notifications/message', 'response']);
    expect(resumed.response.result.content[0].text).toBe('done');
  });

  it('leaves the result to a client that comes back after the end', async () => {
    const { a, gate } = await setUp('2025-11-25');
    const call = a.call('leave');
    await gate.entered();
    gate.open();
    const late = await a.get({ 'last-event-id': call.frames[0]?.id }).finished();
    expect(late.response.result.content[0].text).toBe('done');
  });

  it('may close the connection that the client came back on', async () => {
    const { a, gate } = await setUp('2025-11-25');
    const call = a.call('leave', { times: 2 });
    await gate.entered();
    const second = a.get({ 'last-event-id': call.frames[0]?.id });
    await second.until(() => second.streaming);
    gate.open();
    await gate.entered(2);
    expect([second.done, second.frames.at(-1)]).toEqual([true, { retry: 1_000 }]);
    gate.open();
    const third = await a.get({ 'last-event-id': second.frames[0]?.id }).finished();
    expect(methods(third)).toEqual(['notifications/message', 'response']);
  });

  it.each([-1, Number.NaN, 'soon', 10 ** 9])('asks for no strange wait (%s)', async (retryMs) => {
    const { a, gate } = await setUp('2025-11-25');
    const call = a.call('leave', { retryMs });
    await gate.entered();
    expect(call.frames.at(-1)).toEqual({ retry: retryMs === 10 ** 9 ? 60_000 : 1_000 });
    gate.open();
  });

  it.each(['2025-03-26', '2025-06-18'])('does nothing in %s', async (revision) => {
    const { a, gate } = await setUp(revision);
    const call = a.call('leave');
    await gate.entered();
    expect([call.done, call.streaming]).toEqual([false, false]);
    gate.open();
    expect(methods(await call.finished())).toEqual(['notifications/message', 'response']);
  });

  it('does nothing in 2026-07-28, nor where the client takes no stream', async () => {
    const { a, gate } = await setUp('2025-11-25');
    const modern = a.modern('tools/call', { name: 'leave' });
    const plain = a.call('leave', {}, undefined, { headers: { accept: 'application/json' } });
    await gate.entered(2);
    gate.open();
    await Promise.all([modern.finished(), plain.finished()]);
    expect([modern, plain].map(({ message }) => message.result.content[0].text)).toEqual(['done', 'done']);
  });
});
