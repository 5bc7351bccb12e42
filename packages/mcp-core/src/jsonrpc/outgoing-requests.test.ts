import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settled } from '../testing/dispatcher-pair.js';
import { FakeClock } from '../testing/fake-clock.js';
import { RecordingTransport } from '../testing/recording-transport.js';
import {
  type DispatcherOptions,
  InMemoryPendingRequests,
  JsonRpcDispatcher,
  MCP_CODES,
  MCPError,
  MCPTransportError,
  type Progress,
  type ProtocolFault,
  RequestCancelledError,
  RequestTimeoutError,
} from './index.js';

function client(options: Partial<DispatcherOptions> = {}) {
  const transport = new RecordingTransport();
  const clock = new FakeClock();
  const faults: ProtocolFault[] = [];
  const dispatcher = new JsonRpcDispatcher({
    side: 'client',
    dispatcherId: 'c',
    transport,
    clock,
    listeners: { onProtocolError: (fault) => faults.push(fault) },
    ...options,
  });
  const answer = (id: unknown, result: unknown = {}) => transport.deliver({ jsonrpc: '2.0', id, result });
  const progress = (progressToken: unknown, progress: number) =>
    transport.deliver({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress } });
  const methods = () => transport.sent.map((message) => ('method' in message ? message.method : 'answer'));
  return { transport, clock, faults, dispatcher, answer, progress, methods };
}

/** The rejection of a promise, watched from the moment it is made. */
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => Promise.reject(new Error('it resolved')),
    (error) => error,
  );

describe('requests of our own', () => {
  it('D1 allocates an id, sends and settles with the matching response', async () => {
    const { dispatcher, transport, answer } = client();
    const first = dispatcher.request('a', { x: 1 });
    const second = dispatcher.request('b');
    expect(transport.sent).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'a', params: { x: 1 } },
      { jsonrpc: '2.0', id: 2, method: 'b' },
    ]);
    answer(2, 'two');
    answer(1, 'one');
    expect(await Promise.all([first, second])).toEqual(['one', 'two']);
  });

  it('D1 rejects with the error of the other side, code and data kept', async () => {
    const { dispatcher, transport } = client();
    const failed = failure(dispatcher.request('a'));
    transport.deliver({ jsonrpc: '2.0', id: 1, error: { code: -32002, message: 'none', data: { uri: 'u' } } });
    expect(await failed).toBeInstanceOf(MCPError);
    expect(await failed).toMatchObject({ code: -32002, message: 'none', data: { uri: 'u' } });
  });

  it('D1 rejects abort, timeout and close each with a type of its own', async () => {
    const { dispatcher, clock } = client();
    const controller = new AbortController();
    const aborted = failure(dispatcher.request('a', {}, { signal: controller.signal }));
    const late = failure(dispatcher.request('b', {}, { timeoutMs: 10 }));
    const closed = failure(dispatcher.request('c'));
    controller.abort('enough');
    clock.advance(10);
    await dispatcher.close();
    expect(await aborted).toBeInstanceOf(RequestCancelledError);
    expect(await late).toBeInstanceOf(RequestTimeoutError);
    expect(await closed).toBeInstanceOf(MCPTransportError);
    expect(await closed).toMatchObject({ reason: 'TRANSPORT_CLOSED' });
  });

  it('D1 rejects when the message does not leave, and keeps nothing pending', async () => {
    const pending = new InMemoryPendingRequests();
    const { dispatcher, transport, clock } = client({ pending });
    transport.beforeSend = () => {
      throw new TypeError('no BigInt');
    };
    expect(await failure(dispatcher.request('a', {}, { timeoutMs: 5 }))).toMatchObject({ reason: 'SEND_FAILED' });
    transport.beforeSend = () => Promise.reject(new MCPTransportError('BUFFER_FULL'));
    expect(await failure(dispatcher.request('a', {}, { timeoutMs: 5 }))).toMatchObject({ reason: 'BUFFER_FULL' });
    expect([pending.size, clock.pending]).toEqual([0, 0]);
  });

  it('D6 ties a token to the newest pending request of the method', async () => {
    const { dispatcher, progress, answer } = client();
    const seen: string[] = [];
    const call = (name: string) =>
      dispatcher.request('tools/call', {}, { onProgress: ({ progress: at }) => seen.push(`${name}${at}`) });
    const calls = [call('first'), call('second')];
    const other = dispatcher.request('other');
    expect(dispatcher.setProgressToken('tools/call', 'tok')).toBe(true);
    expect(dispatcher.setProgressToken('nothing/pending', 'tok')).toBe(false);
    progress('tok', 1);
    progress('unknown', 1);
    expect(seen).toEqual(['second1']);
    for (const id of [1, 2, 3]) answer(id);
    await Promise.all([...calls, other]);
    progress('tok', 2);
    expect(seen).toEqual(['second1']);
    expect(dispatcher.setProgressToken('tools/call', 'tok')).toBe(false);
  });

  it('D6 asks for progress under the id, keeps a token that is there, and tells "7" from 7', async () => {
    const { dispatcher, transport, progress } = client();
    const seen: Progress[] = [];
    const onProgress = (at: Progress) => seen.push(at);
    void dispatcher.request('a', { _meta: { keep: 1 } }, { onProgress }).catch(() => {});
    void dispatcher.request('a', { _meta: { progressToken: '7' } }, { onProgress }).catch(() => {});
    expect(transport.sent).toMatchObject([
      { params: { _meta: { keep: 1, progressToken: 1 } } },
      { params: { _meta: { progressToken: '7' } } },
    ]);
    progress(7, 0.1);
    expect(seen).toEqual([]);
    progress('7', 0.2);
    progress(1, 0.3);
    expect(seen).toEqual([{ progress: 0.2 }, { progress: 0.3 }]);
  });

  it('D10 keeps 1 and "1" apart', async () => {
    const ids = [1, '1'] as string[];
    const { dispatcher, answer } = client({ idGenerator: { next: () => ids.shift() as string } });
    const number = dispatcher.request('a');
    const string = dispatcher.request('a');
    answer('1', 'string');
    answer(1, 'number');
    expect(await Promise.all([number, string])).toEqual(['number', 'string']);
  });

  it('D10 settles each of many requests with its own answer, in whatever order and type of id', async () => {
    const id = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.string({ maxLength: 2 }), fc.nat(12).map(String));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(id, { minLength: 1, maxLength: 20 }), async (ids) => {
        const queue = [...ids] as string[];
        const { dispatcher, answer, faults } = client({ idGenerator: { next: () => queue.shift() as string } });
        const all = Promise.all(ids.map(() => dispatcher.request('a')));
        for (const each of [...ids].reverse()) answer(each, [each]);
        expect(await all).toEqual(ids.map((each) => [each]));
        expect(faults).toEqual([]);
      }),
    );
  });

  it('D11 sends nothing for a signal that is aborted already', async () => {
    const { dispatcher, transport } = client();
    const error = await failure(dispatcher.request('a', {}, { signal: AbortSignal.abort('before') }));
    expect(error).toMatchObject({ code: MCP_CODES.REQUEST_CANCELLED, message: 'before' });
    expect(transport.sent).toEqual([]);
  });

  it('D11 has abort and timers armed when the message leaves', async () => {
    const { dispatcher, transport, clock, methods } = client();
    const controller = new AbortController();
    let timers = 0;
    transport.beforeSend = (message) => {
      if (!('method' in message) || message.method !== 'a') return;
      timers = clock.pending;
      controller.abort();
    };
    const options = { signal: controller.signal, timeoutMs: 5, maxTotalTimeoutMs: 9 };
    expect(await failure(dispatcher.request('a', {}, options))).toBeInstanceOf(RequestCancelledError);
    expect(timers).toBe(2);
    expect(methods()).toContain('notifications/cancelled');
  });

  it.each(['answer', 'error', 'abort', 'timeout', 'close', 'send'])(
    'D11 disarms everything on the way out: %s',
    async (way) => {
      const { dispatcher, transport, clock, answer, methods } = client();
      const controller = new AbortController();
      if (way === 'send') transport.beforeSend = () => Promise.reject(new Error('no'));
      const options = { signal: controller.signal, timeoutMs: 50, maxTotalTimeoutMs: 90, onProgress: () => {} };
      const done = dispatcher.request('a', {}, options).catch(() => {});
      if (way === 'answer') answer(1);
      if (way === 'error') transport.deliver({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } });
      if (way === 'abort') controller.abort();
      if (way === 'timeout') clock.advance(50);
      if (way === 'close') await dispatcher.close();
      await done;
      expect(clock.pending).toBe(0);
      const sent = methods().length;
      controller.abort();
      clock.advance(1000);
      expect(methods()).toHaveLength(sent);
    },
  );

  it('D12 tells the other side, rejects, and drops one late answer without noise', async () => {
    const { dispatcher, transport, faults, answer } = client();
    const controller = new AbortController();
    const failed = failure(dispatcher.request('a', {}, { signal: controller.signal }));
    controller.abort(new Error('user left'));
    expect(await failed).toMatchObject({ code: MCP_CODES.REQUEST_CANCELLED, message: 'user left' });
    expect(transport.sent[1]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1, reason: 'user left' },
    });
    answer(1);
    expect(faults).toEqual([]);
    answer(1);
    expect(faults).toHaveLength(1);
  });

  it('D12 tells nobody when the request may not be cancelled', async () => {
    const { dispatcher, methods } = client();
    const controller = new AbortController();
    const failed = failure(dispatcher.request('initialize', {}, { signal: controller.signal, notifyCancel: false }));
    controller.abort();
    expect(await failed).toBeInstanceOf(RequestCancelledError);
    expect(methods()).toEqual(['initialize']);
  });

  it('D13 gives up after the idle time, with a code of its own, and tells the other side', async () => {
    const { dispatcher, clock, methods, answer, faults } = client();
    const failed = failure(dispatcher.request('slow', {}, { timeoutMs: 100 }));
    clock.advance(99);
    expect(methods()).toEqual(['slow']);
    clock.advance(1);
    expect(await failed).toMatchObject({ code: MCP_CODES.REQUEST_TIMEOUT, data: { limit: 'timeoutMs', ms: 100 } });
    expect(methods()).toEqual(['slow', 'notifications/cancelled']);
    answer(1);
    expect(faults).toEqual([]);
  });

  it('D13 lets progress extend the idle time but never the total one', async () => {
    const { dispatcher, clock, progress } = client();
    const options = { timeoutMs: 100, maxTotalTimeoutMs: 250, onProgress: () => {} };
    let error: unknown;
    void dispatcher.request('slow', {}, options).catch((caught) => {
      error = caught;
    });
    for (let step = 0; step < 3; step++) {
      clock.advance(80);
      progress(1, step);
    }
    await settled();
    expect(error).toBeUndefined();
    clock.advance(10);
    await settled();
    expect(error).toMatchObject({ code: MCP_CODES.REQUEST_TIMEOUT, data: { limit: 'maxTotalTimeoutMs', ms: 250 } });
  });

  it('D13 sets no timer unless asked', async () => {
    const { dispatcher, clock, answer } = client();
    const done = dispatcher.request('a');
    expect(clock.pending).toBe(0);
    answer(1);
    await done;
  });

  it('survives an onProgress that throws', async () => {
    const errors: unknown[] = [];
    const { dispatcher, progress, answer } = client({ listeners: { onHandlerError: (error) => errors.push(error) } });
    const onProgress = () => {
      throw new Error('bad listener');
    };
    const done = dispatcher.request('a', {}, { onProgress });
    progress(1, 1);
    answer(1, 'fine');
    expect(await done).toBe('fine');
    expect(errors).toEqual([new Error('bad listener')]);
  });

  it('settles a request by an answer, and moves it by progress, that came on another connection of the session', async () => {
    const pending = new InMemoryPendingRequests();
    const asking = client({ pending, dispatcherId: 'node-1' });
    const hearing = client({ pending, dispatcherId: 'node-2' });
    const seen: number[] = [];
    const asked = asking.dispatcher.request('roots/list', {}, { onProgress: ({ progress }) => seen.push(progress) });
    const also = hearing.dispatcher.request('roots/list');
    hearing.progress('node-1-1', 4);
    hearing.answer('node-1-1', 'mine');
    asking.answer('node-2-1', 'yours');
    expect(await Promise.all([asked, also])).toEqual(['mine', 'yours']);
    expect([seen, pending.size]).toEqual([[4], 0]);
  });

  it('rejects only its own requests of a shared table when it closes', async () => {
    const pending = new InMemoryPendingRequests();
    const one = client({ pending, dispatcherId: 'one' });
    const two = client({ pending, dispatcherId: 'two' });
    const mine = failure(one.dispatcher.request('a'));
    const other = two.dispatcher.request('a');
    await one.dispatcher.close();
    expect(await mine).toMatchObject({ reason: 'TRANSPORT_CLOSED' });
    two.answer('two-1', 'still there');
    expect(await other).toBe('still there');
  });
});
