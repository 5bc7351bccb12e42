import { describe, expect, it } from 'vitest';
import { blockingHandler, serverEnd } from '../testing/dispatcher-ends.js';
import { settled } from '../testing/dispatcher-pair.js';
import type { HandlerContext } from './index.js';

describe('handler context', () => {
  it('D15 offers id, method, signal, extra, progress, notify and request, all related to the call', async () => {
    const { dispatcher, transport, call } = serverEnd<{ tenant: string }>({ extra: { tenant: 't' } });
    dispatcher.registerHandler('work', async (_, ctx) => {
      expect([ctx.id, ctx.method, ctx.extra, ctx.signal.aborted]).toEqual(['w', 'work', { tenant: 't' }, false]);
      expect(ctx.sendProgress(0, 1)).toBe(true);
      expect(ctx.sendProgress('tok', 2, 10, 'half')).toBe(true);
      await ctx.notify('notifications/message', { data: 'x' });
      return ctx.request('roots/list');
    });
    call('w', 'work');
    await settled();
    transport.deliver({ jsonrpc: '2.0', id: 1, result: { roots: [] } });
    await settled();
    expect(transport.sent).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 0, progress: 1 } },
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'tok', progress: 2, total: 10, message: 'half' },
      },
      { jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x' } },
      { jsonrpc: '2.0', id: 1, method: 'roots/list' },
      { jsonrpc: '2.0', id: 'w', result: { roots: [] } },
    ]);
    expect(transport.sendOptions.slice(0, 4)).toEqual(Array(4).fill({ relatedRequestId: 'w' }));
  });

  it('D15 refuses progress after the answer and after a cancel', () => {
    const { dispatcher, transport, call, cancel } = serverEnd();
    const contexts: HandlerContext[] = [];
    const { handler, contexts: blocked } = blockingHandler();
    dispatcher.registerHandler('ping', (_, ctx) => void contexts.push(ctx));
    dispatcher.registerHandler('block', handler);
    call(1, 'ping');
    call(2, 'block');
    cancel(2);
    expect(contexts[0]?.sendProgress('t', 1)).toBe(false);
    expect(blocked[0]?.sendProgress('t', 1)).toBe(false);
    expect(transport.sent).toHaveLength(1);
  });

  it('D15 cancels what a handler asked when the handler itself is cancelled', async () => {
    const { dispatcher, transport, call, cancel } = serverEnd();
    dispatcher.registerHandler('ask', (_, ctx) =>
      ctx.request('roots/list', {}, { signal: new AbortController().signal }),
    );
    call('parent', 'ask');
    cancel('parent');
    await settled();
    expect(transport.sent).toMatchObject([
      { id: 1, method: 'roots/list' },
      { method: 'notifications/cancelled', params: { requestId: 1 } },
    ]);
  });
});
