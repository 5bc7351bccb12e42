import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { clientEnd, rejection } from '../testing/dispatcher-ends.js';
import { settled } from '../testing/dispatcher-pair.js';
import { InMemoryPendingRequests, MCP_CODES, RequestCancelledError } from './index.js';

describe('ways out of a request', () => {
  it('D11 sends nothing for a signal that is aborted already', async () => {
    const { dispatcher, transport } = clientEnd();
    const error = await rejection(dispatcher.request('a', {}, { signal: AbortSignal.abort('before') }));
    expect(error).toMatchObject({ code: MCP_CODES.REQUEST_CANCELLED, message: 'before' });
    expect(transport.sent).toEqual([]);
  });

  it('D11 has abort and timers armed when the message leaves', async () => {
    const { dispatcher, transport, clock, methods } = clientEnd();
    const controller = new AbortController();
    let timers = 0;
    transport.beforeSend = (message) => {
      if (!('method' in message) || message.method !== 'a') return;
      timers = clock.pending;
      controller.abort();
    };
    const options = { signal: controller.signal, timeoutMs: 5, maxTotalTimeoutMs: 9 };
    expect(await rejection(dispatcher.request('a', {}, options))).toBeInstanceOf(RequestCancelledError);
    expect(timers).toBe(2);
    expect(methods()).toContain('notifications/cancelled');
  });

  it.each(['answer', 'error', 'abort', 'timeout', 'close', 'send'])(
    'D11 disarms everything on the way out: %s',
    async (way) => {
      const pending = new InMemoryPendingRequests();
      const idGenerator = { next: () => 1 as unknown as string };
      const { dispatcher, transport, clock, answer, methods } = clientEnd({ pending, idGenerator });
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
      expect(pending.size).toBe(0);
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
      expect(pending.findByToken('n1')).toBeUndefined();
      const sent = methods().length;
      controller.abort();
      clock.advance(1000);
      expect(methods()).toHaveLength(sent);
    },
  );

  it('D12 tells the other side, rejects, and drops one late answer without noise', async () => {
    const { dispatcher, transport, faults, answer } = clientEnd();
    const controller = new AbortController();
    const failed = rejection(dispatcher.request('a', {}, { signal: controller.signal }));
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
    const { dispatcher, methods } = clientEnd();
    const controller = new AbortController();
    const failed = rejection(dispatcher.request('initialize', {}, { signal: controller.signal, notifyCancel: false }));
    controller.abort();
    expect(await failed).toBeInstanceOf(RequestCancelledError);
    expect(methods()).toEqual(['initialize']);
  });

  it('D13 gives up after the idle time, with a code of its own, and tells the other side', async () => {
    const { dispatcher, clock, methods, answer, faults } = clientEnd();
    const failed = rejection(dispatcher.request('slow', {}, { timeoutMs: 100 }));
    clock.advance(99);
    expect(methods()).toEqual(['slow']);
    clock.advance(1);
    expect(await failed).toMatchObject({ code: MCP_CODES.REQUEST_TIMEOUT, data: { limit: 'timeoutMs', ms: 100 } });
    expect(methods()).toEqual(['slow', 'notifications/cancelled']);
    answer(1);
    expect(faults).toEqual([]);
  });

  it('D13 lets progress extend the idle time but never the total one', async () => {
    const { dispatcher, clock, progress } = clientEnd();
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
    const { dispatcher, clock, answer } = clientEnd();
    const done = dispatcher.request('a');
    expect(clock.pending).toBe(0);
    answer(1);
    await done;
  });
});
