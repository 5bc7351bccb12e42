import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientEnd, rejection } from '../testing/dispatcher-ends.js';
import {
  InMemoryPendingRequests,
  MCPError,
  MCPTransportError,
  type Progress,
  RequestCancelledError,
  RequestTimeoutError,
} from './index.js';

describe('requests of our own', () => {
  it('D1 allocates an id, sends and settles with the matching response', async () => {
    const { dispatcher, transport, answer } = clientEnd();
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
    const { dispatcher, transport } = clientEnd();
    const failed = rejection(dispatcher.request('a'));
    transport.deliver({ jsonrpc: '2.0', id: 1, error: { code: -32002, message: 'none', data: { uri: 'u' } } });
    expect(await failed).toBeInstanceOf(MCPError);
    expect(await failed).toMatchObject({ code: -32002, message: 'none', data: { uri: 'u' } });
  });

  it('D1 rejects abort, timeout and close each with a type of its own', async () => {
    const { dispatcher, clock } = clientEnd();
    const controller = new AbortController();
    const aborted = rejection(dispatcher.request('a', {}, { signal: controller.signal }));
    const late = rejection(dispatcher.request('b', {}, { timeoutMs: 10 }));
    const closed = rejection(dispatcher.request('c'));
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
    const { dispatcher, transport, clock } = clientEnd({ pending });
    transport.beforeSend = () => {
      throw new TypeError('no BigInt');
    };
    expect(await rejection(dispatcher.request('a', {}, { timeoutMs: 5 }))).toMatchObject({ reason: 'SEND_FAILED' });
    transport.beforeSend = () => Promise.reject(new MCPTransportError('BUFFER_FULL'));
    expect(await rejection(dispatcher.request('a', {}, { timeoutMs: 5 }))).toMatchObject({ reason: 'BUFFER_FULL' });
    expect([pending.size, clock.pending]).toEqual([0, 0]);
  });

  it('D6 ties a token to the newest pending request of the method', async () => {
    const { dispatcher, progress, answer } = clientEnd();
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
    const { dispatcher, transport, progress } = clientEnd();
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
    const { dispatcher, answer } = clientEnd({ idGenerator: { next: () => ids.shift() as string } });
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
        const { dispatcher, answer, faults } = clientEnd({ idGenerator: { next: () => queue.shift() as string } });
        const all = Promise.all(ids.map(() => dispatcher.request('a')));
        for (const each of [...ids].reverse()) answer(each, [each]);
        expect(await all).toEqual(ids.map((each) => [each]));
        expect(faults).toEqual([]);
      }),
    );
  });

  it('survives an onProgress that throws', async () => {
    const errors: unknown[] = [];
    const { dispatcher, progress, answer } = clientEnd({
      listeners: { onHandlerError: (error) => errors.push(error) },
    });
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
    const asking = clientEnd({ pending, dispatcherId: 'node-1' });
    const hearing = clientEnd({ pending, dispatcherId: 'node-2' });
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
    const one = clientEnd({ pending, dispatcherId: 'one' });
    const two = clientEnd({ pending, dispatcherId: 'two' });
    const mine = rejection(one.dispatcher.request('a'));
    const other = two.dispatcher.request('a');
    await one.dispatcher.close();
    expect(await mine).toMatchObject({ reason: 'TRANSPORT_CLOSED' });
    two.answer('two-1', 'still there');
    expect(await other).toBe('still there');
  });
});
