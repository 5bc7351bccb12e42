import type { SessionMessage } from '@gantry/contracts';
import { describe, expect, it } from 'vitest';
import { type BufferAction, emptyBuffer, maxMessages, maxWaiting, reduceBuffer } from './message-buffer';

const message = (sequence: number, node = 'n1', second = sequence): SessionMessage => ({
  at: new Date(second * 1_000).toISOString(),
  direction: 'client',
  kind: 'request',
  bytes: 1,
  node,
  sequence,
});
const many = (from: number, count: number) => Array.from({ length: count }, (_, i) => message(from + i));
const after = (...actions: BufferAction[]) => actions.reduce(reduceBuffer, emptyBuffer);
const add = (messages: SessionMessage[], dropped?: number): BufferAction => ({ type: 'add', messages, dropped });

describe('the messages that a page keeps', () => {
  it('are each there once, in the order of their times, whichever node told first', () => {
    const { messages } = after(add([message(1), message(3)]), add([message(1, 'n2', 2), message(3)]));
    expect(messages.map(({ node, sequence }) => `${node}/${sequence}`)).toEqual(['n1/1', 'n2/1', 'n1/3']);
  });

  it('are the newest, and the others are counted', () => {
    const { messages, dropped } = after(add(many(1, maxMessages), 7), add(many(maxMessages + 1, 10)));
    expect(messages).toHaveLength(maxMessages);
    expect(messages[0]!.sequence).toBe(11);
    expect(dropped).toBe(17);
  });

  it('stand still while paused; what comes waits, a bounded number of it', () => {
    const paused = after(add(many(1, 2)), { type: 'pause' }, add(many(2, maxWaiting + 5)));
    expect(paused.messages).toHaveLength(2);
    expect(paused.waiting).toHaveLength(maxWaiting);
    expect(paused.missed).toBe(4);
    const { messages, dropped, waiting } = reduceBuffer(paused, { type: 'follow' });
    expect(messages).toHaveLength(2 + maxWaiting);
    expect(dropped).toBe(4);
    expect(waiting).toEqual([]);
  });
});
