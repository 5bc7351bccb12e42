import { describe, expect, it } from 'vitest';
import { serverEnd } from '../testing/dispatcher-ends.js';
import { settled } from '../testing/dispatcher-pair.js';
import { MCPError, MCPTransportError, PreEncoded } from './index.js';

describe('answers that fail', () => {
  it('D17 answers a thrown MCPError with its code and data, thrown at once or later', async () => {
    const { dispatcher, transport, call } = serverEnd();
    dispatcher.registerHandler('now', () => {
      throw new MCPError(-32002, 'none', { uri: 'u' });
    });
    dispatcher.registerHandler('later', async () => {
      throw new MCPError(-1, 'refused');
    });
    call(1, 'now');
    call(2, 'later');
    await settled();
    expect(transport.sent).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32002, message: 'none', data: { uri: 'u' } } },
      { jsonrpc: '2.0', id: 2, error: { code: -1, message: 'refused' } },
    ]);
  });

  it.each([new Error('password=hunter2'), 'a string', undefined, new MCPError(1.5, 'hunter2')])(
    'D17 gives nothing away about any other fault: %s',
    async (thrown) => {
      const { dispatcher, transport, call, handlerErrors } = serverEnd();
      dispatcher.registerHandler('now', () => {
        throw thrown;
      });
      dispatcher.registerHandler('later', () => Promise.reject(thrown));
      call(1, 'now');
      call(2, 'later');
      await settled();
      const error = { code: -32603, message: 'Internal error' };
      expect(transport.sent).toEqual([
        { jsonrpc: '2.0', id: 1, error },
        { jsonrpc: '2.0', id: 2, error },
      ]);
      expect(handlerErrors).toEqual([thrown, thrown]);
    },
  );

  it.each(['throws', 'rejects'])('D17 answers -32603 for that id when the transport %s on encoding', async (how) => {
    const { dispatcher, transport, call, errors } = serverEnd();
    transport.beforeSend = (message) => {
      if (!('result' in message)) return;
      const error = new TypeError('Do not know how to serialize a BigInt');
      if (how === 'rejects') return Promise.reject(error);
      throw error;
    };
    dispatcher.registerHandler('big', () => ({ n: 1n }));
    call('b', 'big');
    await settled();
    expect(transport.sent).toEqual([
      { jsonrpc: '2.0', id: 'b', error: { code: -32603, message: 'Internal error: the answer could not be encoded' } },
    ]);
    expect(errors).toHaveLength(1);
  });

  it('D17 sends no second answer into a closed transport', async () => {
    const { dispatcher, transport, call, errors } = serverEnd();
    let attempts = 0;
    transport.beforeSend = () => {
      attempts++;
      return Promise.reject(new MCPTransportError('TRANSPORT_CLOSED'));
    };
    dispatcher.registerHandler('ping', () => ({}));
    call(1, 'ping');
    await settled();
    expect([attempts, errors.length]).toEqual([1, 1]);
  });

  it('D17 answers -32603 for prepared text that is no JSON, where the transport wants values', () => {
    const { dispatcher, transport, call } = serverEnd();
    Object.assign(transport, { acceptsPreEncoded: false });
    dispatcher.registerHandler('good', () => new PreEncoded('{"a":1}'));
    dispatcher.registerHandler('bad', () => new PreEncoded('{'));
    call(1, 'good');
    call(2, 'bad');
    expect(transport.sent).toMatchObject([{ result: { a: 1 } }, { id: 2, error: { code: -32603 } }]);
    expect((transport.sent[0] as { result: unknown }).result).not.toBeInstanceOf(PreEncoded);
  });

  it('D17 survives an answer whose `then` throws', () => {
    const { dispatcher, transport, call } = serverEnd();
    const trap = () => {
      throw new Error('trap');
    };
    dispatcher.registerHandler('trap', () => Object.defineProperty({}, 'then', { get: trap }));
    call(1, 'trap');
    expect(transport.sent).toMatchObject([{ id: 1, error: { code: -32603 } }]);
  });
});
