import { FakeClock } from '@gantry/mcp-core/testing';
import { describe, expect, it, vi } from 'vitest';
import { LoneNodeChannel } from './lone-node-channel.js';
import { NodeCalls, NodeFault } from './node-calls.js';
import { type NodeChannel, TopicListeners } from './node-channel.js';

/** Channels of several nodes in one process. */
class Wire {
  readonly nodes = new Map<string, TopicListeners>();
  /** Messages to this node get lost. */
  deaf: string | undefined;

  channel(nodeId: string): NodeChannel {
    const listeners = new TopicListeners((error) => {
      throw error;
    });
    this.nodes.set(nodeId, listeners);
    return {
      nodeId,
      send: (node, topic, body) => {
        if (node !== this.deaf) setImmediate(() => this.nodes.get(node)?.tell(topic, body, nodeId));
      },
      broadcast() {},
      on: (topic, listener) => listeners.on(topic, listener),
      onGap: (listener) => listeners.onGap(listener),
    };
  }
}

function cluster(...ids: string[]) {
  const wire = new Wire();
  const clock = new FakeClock();
  const onFault = vi.fn();
  const calls = ids.map((id) => new NodeCalls({ channel: wire.channel(id), clock, living: () => ids, onFault }));
  return { wire, clock, onFault, calls: calls as [NodeCalls, NodeCalls, NodeCalls] };
}

describe('NodeCalls', () => {
  it('gives what the asked node answers, also later, and tells it who asks', async () => {
    const { calls, clock } = cluster('a', 'b', 'c');
    calls[1].answer('double', async (body, from) => ({ twice: Number(body) * 2, from }));
    expect(await calls[0].ask('b', 'double', 21, 1_000)).toEqual({ twice: 42, from: 'a' });
    expect(clock.pending).toBe(0);
  });

  it('asks itself without a channel', async () => {
    const channel = new LoneNodeChannel('me', () => undefined);
    const send = vi.spyOn(channel, 'send');
    const calls = new NodeCalls({ channel, clock: new FakeClock(), living: () => [], onFault: vi.fn() });
    calls.answer('who', () => 'it is me');
    expect(await calls.ask('me', 'who', undefined, 1_000)).toBe('it is me');
    expect((await calls.askAll('who', undefined, 1_000)).answers).toEqual(new Map([['me', 'it is me']]));
    expect(send).not.toHaveBeenCalled();
  });

  it('calls a node silent that has not answered by the deadline, and forgets a late answer', async () => {
    const { calls, clock } = cluster('a', 'b');
    let answer: (value: string) => void = () => undefined;
    calls[1].answer('wait', () => new Promise((resolve) => (answer = resolve)));
    const asked = calls[0].ask('b', 'wait', undefined, 5_000);
    clock.advance(5_000);
    expect(await asked).toBe('silent');
    answer('too late');
    const nobody = calls[0].ask('nobody', 'wait', undefined, 10);
    clock.advance(10);
    expect(await nobody).toBe('silent');
    expect(clock.pending).toBe(0);
  });

  it('hands on a fault of the other node, and that it knows no such operation', async () => {
    const { calls, onFault } = cluster('a', 'b');
    calls[1].answer('fail', () => {
      throw new Error('no disk');
    });
    await expect(calls[0].ask('b', 'fail', undefined, 1_000)).rejects.toThrow(new NodeFault('no disk'));
    await expect(calls[0].ask('b', 'other', undefined, 1_000)).rejects.toThrow('this node knows no "other"');
    expect(onFault).toHaveBeenCalledTimes(1);
  });

  it('gathers from every living node, and names those that did not answer', async () => {
    const { calls, clock, wire } = cluster('a', 'b', 'c');
    for (const [at, one] of calls.entries()) one.answer('load', () => at);
    wire.deaf = 'c';
    const gathering = calls[0].askAll<number>('load', undefined, 1_000);
    await new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));
    clock.advance(1_000);
    const { answers, silent } = await gathering;
    expect([...answers]).toEqual([
      ['a', 0],
      ['b', 1],
    ]);
    expect(silent).toEqual(['c']);
  });

  it('sends no more than it may, either way', async () => {
    const { calls } = cluster('a', 'b');
    calls[1].answer('much', () => 'x'.repeat(1024 * 1024));
    await expect(calls[0].ask('b', 'much', undefined, 1_000)).rejects.toThrow('more than 1048576 bytes');
    await expect(calls[0].ask('b', 'much', 'x'.repeat(64 * 1024), 1_000)).rejects.toThrow(RangeError);
  });

  it('takes an answer only from the node it asked', async () => {
    const { calls, wire, clock } = cluster('a', 'b', 'c');
    const asked = calls[0].ask('b', 'x', undefined, 100);
    wire.nodes.get('a')?.tell('answer', '{"id":1,"body":"forged"}', 'c');
    wire.deaf = 'a';
    clock.advance(100);
    expect(await asked).toBe('silent');
  });

  it('leaves nobody waiting when it is closed', async () => {
    const { calls, clock } = cluster('a', 'b');
    const asked = calls[0].ask('nobody', 'x', undefined, 60_000);
    calls[0].close();
    expect(await asked).toBe('silent');
    expect(clock.pending).toBe(0);
  });
});
