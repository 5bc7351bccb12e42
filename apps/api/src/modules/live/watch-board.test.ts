import { FakeClock } from '@gantry/mcp-core/testing';
import { expect, it, vi } from 'vitest';
import { type NodeChannel, TopicListeners } from '../../infra/nodes/node-channel.js';
import { type Hints, WatchBoard } from './watch-board.js';

/** Boards of two nodes, and every message between them. */
function pair() {
  const clock = new FakeClock();
  const listeners = new Map<string, TopicListeners>();
  const sent: string[] = [];
  const channel = (nodeId: string): NodeChannel => {
    const own = new TopicListeners((error) => {
      throw error;
    });
    listeners.set(nodeId, own);
    return {
      nodeId,
      send: (node, topic, body) => {
        sent.push(topic);
        listeners.get(node)?.tell(topic, body, nodeId);
      },
      broadcast: (topic, body) => {
        sent.push(topic);
        for (const [node, one] of listeners) if (node !== nodeId) one.tell(topic, body, nodeId);
      },
      on: (topic, listener) => own.on(topic, listener),
      onGap: (listener) => own.onGap(listener),
    };
  };
  const [a, b] = [new WatchBoard(channel('a'), clock), new WatchBoard(channel('b'), clock)];
  return { clock, sent, a, b, listeners };
}

it('sends nothing of what nobody watches', () => {
  const { clock, sent, a } = pair();
  a.hint('m', 'x');
  clock.advance(60_000);
  expect([sent, clock.pending]).toEqual([[], 0]);
});

it('tells whoever watches, here and elsewhere, at once for many changes', () => {
  const { clock, sent, a, b } = pair();
  const heard: Hints[] = [];
  a.watch('m', (hints) => heard.push(hints));
  for (let at = 0; at < 3; at += 1) b.hint('m', 'x', at);
  b.hint('other', 'y');
  clock.advance(100);
  expect(heard).toEqual([{ items: new Map([['x', 2]]), count: 3, overflow: false }]);
  a.hint('m', 'z');
  clock.advance(100);
  expect(heard).toHaveLength(2);
  expect(sent.filter((topic) => topic === 'live.hint')).toHaveLength(1);
});

it('bounds what one message names, and says that there was more', () => {
  const { clock, a } = pair();
  const heard = vi.fn<(hints: Hints) => void>();
  a.watch('m', heard);
  for (let at = 0; at < 300; at += 1) a.hint('m', `x${at}`);
  clock.advance(100);
  expect(heard.mock.calls[0]?.[0]).toMatchObject({ count: 300, overflow: true });
  expect(heard.mock.calls[0]?.[0].items.size).toBe(200);
});

it('goes on for as long as it is renewed, and is over half a minute after the watcher died', () => {
  const { clock, a, b, listeners } = pair();
  a.watch('m', () => undefined);
  clock.advance(120_000);
  expect(b.isWatched('m')).toBe(true);
  a.close();
  listeners.delete('a');
  clock.advance(30_000);
  expect(b.isWatched('m')).toBe(false);
});

it('costs nothing any more once nobody watches', () => {
  const { clock, sent, a, b } = pair();
  const stop = a.watch('m', () => undefined);
  stop();
  clock.advance(60_000);
  sent.length = 0;
  b.hint('m', 'x');
  a.hint('m', 'x');
  clock.advance(60_000);
  expect([sent, clock.pending]).toEqual([[], 0]);
});
