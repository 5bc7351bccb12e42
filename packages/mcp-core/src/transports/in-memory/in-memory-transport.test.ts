import { describe, expect, it } from 'vitest';
import { notificationMessage, PreEncoded, resultMessage } from '../../jsonrpc/index.js';
import { settled } from '../../testing/dispatcher-pair.js';
import { InMemoryTransport } from './in-memory-transport.js';

function pair() {
  const [left, right] = InMemoryTransport.pair();
  const received: unknown[] = [];
  const listen = () => {
    right.onmessage = (message) => received.push(message);
  };
  return { left, right, received, listen };
}

describe('InMemoryTransport', () => {
  it('D8 carries messages as JSON would: no shared objects, prepared text read', async () => {
    const { left, received, listen } = pair();
    listen();
    const message = notificationMessage('n', { when: new Date(0), gone: undefined, deep: { a: [1] } });
    await left.send(message);
    await left.send(resultMessage(1, new PreEncoded('{"a":1}')));
    await settled();
    expect(received).toStrictEqual([
      { jsonrpc: '2.0', method: 'n', params: { when: '1970-01-01T00:00:00.000Z', deep: { a: [1] } } },
      { jsonrpc: '2.0', id: 1, result: { a: 1 } },
    ]);
    expect((received[0] as typeof message).params?.deep).not.toBe(message.params?.deep);
  });

  it('D8 delivers in order and never within the call', async () => {
    const { left, received, listen } = pair();
    listen();
    for (let n = 0; n < 5; n++) void left.send(notificationMessage(`n${n}`));
    expect(received).toEqual([]);
    await settled();
    expect(received.map((message) => (message as { method: string }).method)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
  });

  it('D8 holds messages until the other end listens, a thousand at most', async () => {
    const { left, received, listen } = pair();
    for (let n = 0; n < 1000; n++) await left.send(notificationMessage('n'));
    await expect(left.send(notificationMessage('n'))).rejects.toMatchObject({ reason: 'BUFFER_FULL' });
    await settled();
    expect(received).toEqual([]);
    listen();
    await settled();
    expect(received).toHaveLength(1000);
  });

  it('D8 lets what is on its way arrive before the close, and closes both ends once', async () => {
    const { left, right, received, listen } = pair();
    const closes: string[] = [];
    left.onclose = () => closes.push('left');
    right.onclose = () => closes.push(`right after ${received.length}`);
    listen();
    void left.send(notificationMessage('last'));
    await left.close();
    await left.close();
    await settled();
    await right.close();
    expect(closes).toEqual(['left', 'right after 1']);
    for (const end of [left, right]) {
      await expect(end.send(notificationMessage('n'))).rejects.toMatchObject({ reason: 'TRANSPORT_CLOSED' });
    }
  });

  it('D8 rejects what JSON cannot carry, and goes on', async () => {
    const { left, received, listen } = pair();
    listen();
    await expect(left.send(notificationMessage('n', { n: 1n }))).rejects.toThrow(TypeError);
    await left.send(notificationMessage('n'));
    await settled();
    expect(received).toHaveLength(1);
  });

  it('D8 reports a listener that throws, and delivers the next message', async () => {
    const { left, right } = pair();
    const seen: string[] = [];
    right.onerror = ({ message }) => seen.push(message);
    right.onmessage = (message) => {
      seen.push((message as { method: string }).method);
      throw new Error('bad listener');
    };
    void left.send(notificationMessage('one'));
    void left.send(notificationMessage('two'));
    await settled();
    expect(seen).toEqual(['one', 'bad listener', 'two', 'bad listener']);
  });
});
