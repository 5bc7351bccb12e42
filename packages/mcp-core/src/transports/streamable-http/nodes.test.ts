import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { InMemoryChangeBus } from '../../memory/change-bus.js';
import { InMemoryEventLog } from '../../memory/event-log.js';
import { InMemoryNodeBus } from '../../memory/node-bus.js';
import { InMemorySessionStore } from '../../memory/session-store.js';
import type { NodeMessage } from '../../ports/node-bus.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTools, Gate } from '../../testing/fixture-server.js';
import type { RecordingResponder } from '../../testing/recording-responder.js';
import { ScriptedClient } from '../../testing/scripted-client.js';
import { turnOver } from '../../testing/turn.js';

/** A bus on which everything gets lost for a while, and what can be asked for afterwards is kept. */
class LossyNodeBus extends InMemoryNodeBus {
  deaf = false;
  /** How often whoever asks gets no answer. */
  silentFor = 0;
  readonly #lost: { readonly node: string; readonly message: NodeMessage }[] = [];
  readonly #missed: (() => void)[] = [];

  override send(node: string, message: NodeMessage): void {
    if (this.deaf) this.#lost.push({ node, message });
    else super.send(node, message);
  }

  override listen(node: string, listener: (message: NodeMessage) => void, missed?: () => void): () => void {
    if (missed !== undefined) this.#missed.push(missed);
    return super.listen(node, listener);
  }

  override kept(node?: string): readonly NodeMessage[] | Promise<never> {
    if (this.silentFor > 0) {
      this.silentFor--;
      return Promise.reject(new Error('away'));
    }
    const [...all] = this.#lost;
    const mine = all.filter((word) => word.node === node && word.message.kind !== 'end');
    this.#lost.splice(0, this.#lost.length, ...all.filter((word) => word.node !== node));
    return mine.map(({ message }) => message);
  }

  hearAgain(): void {
    this.deaf = false;
    for (const missed of this.#missed) missed();
  }
}

/** Two nodes on one set of stores, and one client that speaks to both. */
async function setUp(nodeBus: InMemoryNodeBus = new InMemoryNodeBus()) {
  const clock = new FakeClock();
  const gate = new Gate();
  const shared = {
    clock,
    sessionStore: new InMemorySessionStore(clock),
    eventLog: new InMemoryEventLog(clock),
    nodeBus,
    changeBus: new InMemoryChangeBus(),
  };
  const snapshot = fixtureSnapshot(fixtureTools(gate));
  const a = new ScriptedClient(createMcpEndpoint({ ...shared, nodeId: 'a' }), { snapshot });
  const b = new ScriptedClient(createMcpEndpoint({ ...shared, nodeId: 'b' }), { snapshot });
  await a.open();
  b.sessionId = a.sessionId;
  b.revision = a.revision;
  return { a, b, gate, clock };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

const lastId = ({ frames }: RecordingResponder) => frames.findLast(({ id }) => id !== undefined)?.id;

describe('two nodes', () => {
  it('serve one session, with what initialize and setLevel agreed (SES-01, SES-09)', async () => {
    const { a, b } = await setUp();
    expect(b.request('tools/list').status).toBe(200);
    expect(b.request('logging/setLevel', { level: 'error' }).status).toBe(200);
    expect((await a.call('log', { level: 'warning' }).finished()).streaming).toBe(false);
    expect((await a.call('count').finished()).message.result.content[0].text).toBe('1');
    expect((await b.call('count').finished()).message.result.content[0].text).toBe('2');
  });

  it('cancel on either a call that runs on the other, also before it came (wire B24, CAN-01)', async () => {
    const { a, b, gate } = await setUp();
    b.request('ping');
    const running = a.call('block', {}, undefined, { id: 'x' });
    await gate.entered();
    b.notify('notifications/cancelled', { requestId: 'x' });
    expect([running.status, gate.signals[0]?.aborted]).toEqual([202, true]);
    a.notify('notifications/cancelled', { requestId: 'y' });
    expect(b.call('block', {}, undefined, { id: 'y' }).status).toBe(202);
    expect(gate.entries).toBe(1);
  });

  it('reach a running call with a cancel although the word got lost (CAN-01)', async () => {
    const bus = new LossyNodeBus();
    const { a, b, gate } = await setUp(bus);
    b.request('ping');
    const running = a.call('block', {}, undefined, { id: 'x' });
    await gate.entered();
    bus.deaf = true;
    b.notify('notifications/cancelled', { requestId: 'x' });
    expect(gate.signals[0]?.aborted).toBe(false);
    bus.hearAgain();
    expect([running.status, gate.signals[0]?.aborted]).toEqual([202, true]);
  });

  it('ask for lost words again when nobody answers', async () => {
    const bus = new LossyNodeBus();
    const { a, b, gate, clock } = await setUp(bus);
    b.request('ping');
    const running = a.call('block', {}, undefined, { id: 'x' });
    await gate.entered();
    bus.deaf = true;
    b.notify('notifications/cancelled', { requestId: 'x' });
    bus.silentFor = 2;
    bus.hearAgain();
    for (let second = 0; second < 2; second++) {
      await settle();
      expect(running.status).toBeUndefined();
      clock.advance(1_000);
    }
    expect(running.status).toBe(202);
  });

  it('know of a lost cancel when its request comes with a session they have not met yet', async () => {
    const bus = new LossyNodeBus();
    const { a, b, gate } = await setUp(bus);
    bus.deaf = true;
    a.notify('notifications/cancelled', { requestId: 'z' });
    bus.hearAgain();
    expect(b.call('block', {}, undefined, { id: 'z' }).status).toBe(202);
    expect(gate.entries).toBe(0);
  });

  it('remember a cancel for a session that one of them has not met yet', async () => {
    const { a, b, gate } = await setUp();
    a.notify('notifications/cancelled', { requestId: 'z' });
    expect(b.call('block', {}, undefined, { id: 'z' }).status).toBe(202);
    expect(gate.entries).toBe(0);
  });

  it('do not keep a cancel that found its request for the next one with that id (RPC-03)', async () => {
    const { a, b, gate } = await setUp();
    b.request('ping');
    const running = a.call('block', {}, undefined, { id: 'same' });
    await gate.entered();
    a.notify('notifications/cancelled', { requestId: 'same' });
    expect(running.status).toBe(202);
    expect(b.call('add', { a: 1, b: 1 }, undefined, { id: 'same' }).status).toBe(200);
  });

  it('do not take a cancel of an hour ago for one that overtook its request', async () => {
    const { a, b, clock } = await setUp();
    a.notify('notifications/cancelled', { requestId: 1 });
    clock.advance(60_001);
    expect(b.call('add', { a: 1, b: 1 }, undefined, { id: 1 }).status).toBe(200);
  });

  it('keep only the newest of many cancels for a session they have not met, and none with an endless id', async () => {
    const { a, b } = await setUp();
    const endless = 'x'.repeat(10_000);
    a.notify('notifications/cancelled', { requestId: endless });
    for (let id = 0; id < 100; id++) a.notify('notifications/cancelled', { requestId: id });
    const status = (id: string | number) => b.call('add', { a: 1, b: 1 }, undefined, { id }).status;
    expect([status(endless), status(0), status(83), status(84), status(99)]).toEqual([200, 200, 200, 202, 202]);
  });

  it('end a session everywhere (wire B3)', async () => {
    const { a, b, gate } = await setUp();
    const stream = a.get();
    await settle();
    const running = a.call('block');
    await gate.entered();
    expect((await b.delete().finished()).status).toBe(204);
    expect(stream.done).toBe(true);
    expect((await running.finished()).message.error.code).toBe(-32603);
    expect(a.request('ping').status).toBe(404);
  });

  it('end what still runs of a session that was ended although the word got lost', async () => {
    const bus = new LossyNodeBus();
    const { a, b, gate } = await setUp(bus);
    const running = a.call('block');
    await gate.entered();
    bus.deaf = true;
    expect((await b.delete().finished()).status).toBe(204);
    expect(gate.signals[0]?.aborted).toBe(false);
    bus.hearAgain();
    expect(gate.signals[0]?.aborted).toBe(true);
    expect((await running.finished()).message.error.code).toBe(-32603);
  });

  it('resume on one what began on the other, and the older connection lets go (wire B11)', async () => {
    const { a, b, gate } = await setUp();
    const first = a.call('speak_and_block');
    await gate.entered();
    const resumed = b.get({ 'last-event-id': lastId(first) });
    await settle();
    expect([first.done, first.response]).toEqual([true, undefined]);
    gate.open();
    await resumed.finished();
    expect(resumed.messages.map(({ method }) => method ?? 'response')).toEqual(['notifications/message', 'response']);
  });

  it('move the standalone stream to the newest connection (wire B7)', async () => {
    const { a, b } = await setUp();
    const first = a.get();
    await settle();
    const second = b.get();
    await settle();
    await a.endpoint.changed('fixture', { kind: 'list', list: 'tools' }, a.snapshot.settings);
    expect([first.done, first.messages.length, second.messages.length]).toEqual([true, 0, 1]);
  });

  it('tell listens on both of a change made on either (wire C32)', async () => {
    const { a, b } = await setUp();
    const params = { notifications: { toolsListChanged: true } };
    const streams = [a.modern('subscriptions/listen', params), b.modern('subscriptions/listen', params)];
    await b.endpoint.changed('fixture', { kind: 'list', list: 'tools' }, b.snapshot.settings);
    await turnOver();
    expect(streams.map(({ messages }) => messages.length)).toEqual([2, 2]);
  });

  it('outlive each other: a session opened on a closed node is served by the other', async () => {
    const { a, b } = await setUp();
    await a.endpoint.close({ graceMs: 0 });
    expect(b.request('ping').message.result).toEqual({});
  });
});
