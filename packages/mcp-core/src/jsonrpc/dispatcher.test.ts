import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serverEnd } from '../testing/dispatcher-ends.js';
import { dispatcherPair, settled } from '../testing/dispatcher-pair.js';
import { RecordingTransport } from '../testing/recording-transport.js';
import { JsonRpcDispatcher, MCPTransportError } from './index.js';

describe('notifications', () => {
  it('D2 sends a notification without id and waits for no answer', async () => {
    const { dispatcher, transport } = serverEnd();
    await dispatcher.notify('notifications/initialized');
    await dispatcher.notify('notifications/message', { data: 1 });
    expect(transport.sent).toEqual([
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/message', params: { data: 1 } },
    ]);
    await dispatcher.close();
  });

  it('D2 rejects when the notification does not leave', async () => {
    const { dispatcher, transport } = serverEnd();
    transport.beforeSend = () => {
      throw new Error('broken pipe');
    };
    await expect(dispatcher.notify('n')).rejects.toMatchObject({ reason: 'SEND_FAILED' });
  });

  it('D4 calls every listener in its own guard until it unsubscribes, and answers nothing', async () => {
    const errors: unknown[] = [];
    const { dispatcher, transport } = serverEnd({ listeners: { onHandlerError: (error) => errors.push(error) } });
    const heard: string[] = [];
    dispatcher.onNotification('n', () => {
      throw new Error('first');
    });
    dispatcher.onNotification('n', async () => {
      throw new Error('second');
    });
    const stop = dispatcher.onNotification('n', ({ x }) => heard.push(`third ${x}`));
    dispatcher.onNotification('n', () => heard.push('fourth'));
    transport.deliver({ jsonrpc: '2.0', method: 'n', params: { x: 1 } });
    stop();
    stop();
    transport.deliver({ jsonrpc: '2.0', method: 'n', params: { x: 2 } });
    transport.deliver({ jsonrpc: '2.0', method: 'unheard' });
    await settled();
    expect(heard).toEqual(['third 1', 'fourth', 'fourth']);
    expect(errors.map(String)).toEqual(['Error: first', 'Error: first', 'Error: second', 'Error: second']);
    expect(transport.sent).toEqual([]);
  });

  it('D4 hears a shared table too, and checks params that have a schema', async () => {
    const heard: unknown[] = [];
    const { transport, faults } = serverEnd({
      notificationListeners: new Map([['n', (params) => heard.push(params)]]),
      paramSchemas: { n: z.object({ x: z.number() }) },
    });
    transport.deliver({ jsonrpc: '2.0', method: 'n', params: { x: 1 } });
    transport.deliver({ jsonrpc: '2.0', method: 'n', params: { x: 'no' } });
    await settled();
    expect(heard).toEqual([{ x: 1 }]);
    expect(faults).toMatchObject([{ reason: 'INVALID_NOTIFICATION' }]);
  });
});

describe('the end', () => {
  it('D7 rejects what is pending, aborts what runs, closes the transport, and may be called twice', async () => {
    const reasons: string[] = [];
    const { dispatcher, transport } = serverEnd({ listeners: { onClose: ({ message }) => reasons.push(message) } });
    const signals: AbortSignal[] = [];
    dispatcher.registerHandler('block', (_, { signal }) => {
      signals.push(signal);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('too late')));
    });
    dispatcher.receive({ jsonrpc: '2.0', id: 1, method: 'block' });
    const pending = dispatcher.request('ask').catch((error) => error);
    const sent = transport.sent.length;
    await Promise.all([dispatcher.close('shutting down'), dispatcher.close()]);
    expect(await pending).toBeInstanceOf(MCPTransportError);
    expect(await pending).toMatchObject({ reason: 'TRANSPORT_CLOSED', message: 'shutting down' });
    expect(signals[0]?.reason).toBe(await pending);
    expect([transport.closes, transport.sent.length, reasons]).toEqual([1, sent, ['shutting down']]);
    expect(dispatcher.closed).toBe(true);
  });

  it('D7 refuses everything afterwards and answers nothing any more', async () => {
    const { dispatcher, transport, faults, handlerErrors } = serverEnd();
    dispatcher.registerHandler('ping', () => expect.unreachable());
    dispatcher.onNotification('n', () => expect.unreachable());
    await dispatcher.close();
    await expect(dispatcher.request('a')).rejects.toMatchObject({ reason: 'TRANSPORT_CLOSED' });
    await expect(dispatcher.notify('a')).rejects.toMatchObject({ reason: 'TRANSPORT_CLOSED' });
    transport.deliver({ jsonrpc: '2.0', id: 1, method: 'ping' });
    transport.deliver({ jsonrpc: '2.0', method: 'n' });
    transport.deliver({ jsonrpc: '2.0', id: 1, result: {} });
    transport.deliver({ nonsense: true });
    expect([transport.sent, faults, handlerErrors]).toEqual([[], [], []]);
  });

  it('D7 ends the same way when the other side closes', async () => {
    const { server, client } = dispatcherPair();
    server.registerHandler('block', () => new Promise(() => {}));
    const pending = client.request('block').catch((error) => error);
    await settled();
    await server.close();
    expect(await pending).toMatchObject({ reason: 'TRANSPORT_CLOSED' });
    expect(client.closed).toBe(true);
  });

  it('D7 lets a handler close its own dispatcher: aborted, not answered', async () => {
    const { dispatcher, transport } = serverEnd();
    let aborted: boolean | undefined;
    dispatcher.registerHandler('bye', async (_, ctx) => {
      await dispatcher.close();
      aborted = ctx.signal.aborted;
    });
    dispatcher.registerHandler('bye now', () => void dispatcher.close());
    dispatcher.receive({ jsonrpc: '2.0', id: 1, method: 'bye' });
    await settled();
    expect([aborted, transport.sent]).toEqual([true, []]);
  });

  it('D7 reports a transport that fails to close, and does not throw', async () => {
    const errors: Error[] = [];
    const { dispatcher, transport } = serverEnd({ listeners: { onError: (error) => errors.push(error) } });
    transport.close = () => Promise.reject(new Error('stuck'));
    await dispatcher.close();
    expect(errors).toEqual([new Error('stuck')]);
  });
});

describe('what comes in', () => {
  it('D16 tells messages apart by id, method, result and error, in that order', async () => {
    const { dispatcher, transport, faults } = serverEnd();
    const heard: string[] = [];
    dispatcher.registerHandler('m', () => void heard.push('request'));
    dispatcher.onNotification('m', () => heard.push('notification'));
    const asked = dispatcher.request('ask');
    transport.deliver({ jsonrpc: '2.0', id: 1, method: 'm', result: {} });
    transport.deliver({ jsonrpc: '2.0', method: 'm', error: {} });
    transport.deliver({ jsonrpc: '2.0', id: 1, result: 'answer' });
    expect([await asked, heard, faults]).toEqual(['answer', ['request', 'notification'], []]);
  });

  it.each([
    [
      { jsonrpc: '2.0', id: 7 },
      { id: 7, error: { code: -32600 } },
    ],
    [
      { jsonrpc: '1.0', id: 7, method: 'm' },
      { id: 7, error: { code: -32600 } },
    ],
    [{ jsonrpc: '2.0', id: null, method: 'm' }, { error: { code: -32600 } }],
    [
      { jsonrpc: '2.0', id: 1, method: 'm', params: [] },
      { id: 1, error: { code: -32600 } },
    ],
    ['text', { error: { code: -32600 } }],
    [[], { error: { code: -32600 } }],
  ])('D16 answers the malformed %j as JSON-RPC says', (message, answer) => {
    const { transport, faults } = serverEnd();
    transport.deliver(message);
    expect(transport.sent).toMatchObject([answer]);
    expect('id' in (transport.sent[0] ?? {})).toBe('id' in answer);
    expect(faults).toMatchObject([{ reason: 'MALFORMED' }]);
  });

  it('D16 does not answer a malformed answer', () => {
    const { transport, faults } = serverEnd();
    transport.deliver({ jsonrpc: '2.0', result: {} });
    expect([transport.sent, faults.length]).toEqual([[], 1]);
  });

  it('D18 tells the listener of unknown, doubled and id-less answers, and throws nothing', async () => {
    const { dispatcher, transport, faults } = serverEnd();
    const asked = dispatcher.request('ask');
    transport.deliver({ jsonrpc: '2.0', id: 1, result: 'first' });
    transport.deliver({ jsonrpc: '2.0', id: 1, result: 'second' });
    transport.deliver({ jsonrpc: '2.0', id: 'never', error: { code: 1, message: 'x' } });
    transport.deliver({ jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' } });
    expect(await asked).toBe('first');
    expect(faults.map(({ reason }) => reason)).toEqual(['UNKNOWN_RESPONSE', 'UNKNOWN_RESPONSE', 'ERROR_WITHOUT_ID']);
    expect(transport.sent).toHaveLength(1);
  });

  it('D18 survives a listener that throws, and having none', () => {
    let shouts = 0;
    const shout = () => {
      shouts++;
      throw new Error('listener');
    };
    const { transport } = serverEnd({ listeners: { onProtocolError: shout, onError: shout } });
    transport.deliver({ jsonrpc: '2.0', id: 1, result: 1 });
    transport.onerror?.(new Error('x'));
    expect(shouts).toBe(2);
    const silent = new RecordingTransport();
    new JsonRpcDispatcher({ side: 'client', dispatcherId: 'd', transport: silent });
    silent.deliver({ jsonrpc: '2.0', id: 1, result: 1 });
    silent.onerror?.(new Error('x'));
  });
});
