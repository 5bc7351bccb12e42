import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { settled } from '../testing/dispatcher-pair.js';
import { FakeClock } from '../testing/fake-clock.js';
import { RecordingTransport } from '../testing/recording-transport.js';
import {
  type DispatcherOptions,
  type Handler,
  type HandlerContext,
  InMemoryInFlightTable,
  JsonRpcDispatcher,
  MCPError,
  MCPTransportError,
  type Params,
  PreEncoded,
} from './index.js';

function server<E = undefined>(options: Partial<DispatcherOptions<E>> = {}) {
  const transport = new RecordingTransport();
  const handlerErrors: unknown[] = [];
  const errors: Error[] = [];
  const dispatcher = new JsonRpcDispatcher<E>({
    side: 'server',
    dispatcherId: 's',
    transport,
    clock: new FakeClock(),
    listeners: { onHandlerError: (error) => handlerErrors.push(error), onError: (error) => errors.push(error) },
    ...options,
  });
  const call = (id: number | string, method: string, params?: Params) =>
    dispatcher.receive({ jsonrpc: '2.0', id, method, params });
  const cancel = (requestId: unknown, reason?: string) =>
    dispatcher.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } });
  return { transport, dispatcher, handlerErrors, errors, call, cancel };
}

/** A handler that waits until it is aborted or let go, and the contexts it was given. */
function blocker() {
  const contexts: HandlerContext[] = [];
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const handler: Handler = async (_, ctx) => {
    contexts.push(ctx);
    await gate;
    return { done: ctx.id };
  };
  return { handler, contexts, release: () => release() };
}

describe('method table', () => {
  it('D3 takes one handler a method, refuses a second, and answers -32601 without one', () => {
    const { dispatcher, transport, call } = server();
    dispatcher.registerHandler('add', ({ a, b }) => ({ sum: (a as number) + (b as number) }));
    expect(() => dispatcher.registerHandler('add', () => 1)).toThrow('add has a handler already');
    call(1, 'add', { a: 1, b: 2 });
    expect(dispatcher.unregisterHandler('add')).toBe(true);
    expect(dispatcher.unregisterHandler('add')).toBe(false);
    call(2, 'add', { a: 1, b: 2 });
    call(3, 'toString');
    expect(transport.sent).toEqual([
      { jsonrpc: '2.0', id: 1, result: { sum: 3 } },
      { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'Method not found: add' } },
      { jsonrpc: '2.0', id: 3, error: { code: -32601, message: 'Method not found: toString' } },
    ]);
  });

  it('D3 reads a shared table behind its own handlers, live and uncopied', () => {
    const handlers = new Map<string, Handler<string>>([['who', (_, ctx) => `shared ${ctx.extra}`]]);
    const { dispatcher, transport, call } = server<string>({ handlers, extra: 'E' });
    call(1, 'who');
    dispatcher.registerHandler('who', () => 'own');
    call(2, 'who');
    dispatcher.unregisterHandler('who');
    handlers.set('late', () => 'late');
    call(3, 'who');
    call(4, 'late');
    expect(transport.sent.map((sent) => 'result' in sent && sent.result)).toEqual([
      'shared E',
      'own',
      'shared E',
      'late',
    ]);
  });

  it('answers a plain value within receive, and nothing as {}', () => {
    const { dispatcher, transport, call } = server();
    dispatcher.registerHandler('ping', () => undefined);
    call('p', 'ping');
    expect(transport.sent).toEqual([{ jsonrpc: '2.0', id: 'p', result: {} }]);
  });

  it('gives params that were absent as an object of the handler’s own', () => {
    const { dispatcher, transport, call } = server();
    dispatcher.registerHandler('own', (params) => {
      params.touched = true;
      return params;
    });
    call(1, 'own');
    expect(transport.sent).toMatchObject([{ result: { touched: true } }]);
  });
});

describe('param schemas', () => {
  const paramSchemas = {
    move: z.looseObject({ to: z.object({ x: z.number() }), fast: z.boolean().default(false) }),
    later: { '~standard': { version: 1, vendor: 'x', validate: async () => ({ issues: [{ message: 'too late' }] }) } },
    broken: {
      '~standard': {
        version: 1,
        validate: () => {
          throw new Error('schema bug');
        },
      },
    },
  } as const;

  it('D5 answers -32602 with the paths before the handler runs', () => {
    const { dispatcher, transport, call } = server({ paramSchemas });
    dispatcher.registerHandler('move', () => expect.unreachable());
    call(1, 'move', { to: { x: 'left' }, fast: 1 });
    expect(transport.sent).toMatchObject([
      { id: 1, error: { code: -32602, data: { issues: [{ path: 'to.x' }, { path: 'fast' }] } } },
    ]);
    expect(JSON.stringify(transport.sent)).toMatch(/Invalid params: to\.x: .*; fast: /);
  });

  it('D5 hands the handler what the schema made of the params', () => {
    const { dispatcher, transport, call } = server({ paramSchemas });
    dispatcher.registerHandler('move', (params) => params);
    call(1, 'move', { to: { x: 1 }, _meta: {} });
    expect(transport.sent).toMatchObject([{ result: { to: { x: 1 }, fast: false, _meta: {} } }]);
  });

  it('D5 waits for a schema that is asynchronous, and takes a broken one for a fault of ours', async () => {
    const { dispatcher, transport, call, handlerErrors } = server({ paramSchemas });
    for (const method of ['later', 'broken']) dispatcher.registerHandler(method, () => expect.unreachable());
    call(1, 'later');
    call(2, 'broken');
    await settled();
    expect(transport.sent).toMatchObject([
      { id: 2, error: { code: -32603 } },
      { id: 1, error: { code: -32602, message: 'Invalid params: too late' } },
    ]);
    expect(handlerErrors).toEqual([new Error('schema bug')]);
  });

  it('D5 does not take inherited names for schemas', () => {
    const { dispatcher, transport, call } = server({ paramSchemas });
    dispatcher.registerHandler('constructor', () => 'ok');
    call(1, 'constructor');
    expect(transport.sent).toMatchObject([{ result: 'ok' }]);
  });
});

describe('cancels', () => {
  it('D14 aborts the running handler with that id and nothing else, and answers nothing', async () => {
    const { dispatcher, transport, call, cancel } = server();
    const { handler, contexts, release } = blocker();
    dispatcher.registerHandler('block', handler);
    call(1, 'block');
    call('1', 'block');
    const early = contexts[0]?.signal;
    cancel(1, 'user left');
    expect(early?.aborted).toBe(true);
    expect(early?.reason).toMatchObject({ message: 'user left' });
    expect(contexts[1]?.signal.aborted).toBe(false);
    release();
    await settled();
    expect(transport.sent).toEqual([{ jsonrpc: '2.0', id: '1', result: { done: '1' } }]);
  });

  it('D14 shows a signal first read after the cancel as aborted', () => {
    const { dispatcher, call, cancel } = server();
    const { handler, contexts } = blocker();
    dispatcher.registerHandler('block', handler);
    call(1, 'block');
    cancel(1);
    expect(contexts[0]?.signal.aborted).toBe(true);
  });

  it('D14 keeps silent about a cancelled handler that ends by throwing its abort', async () => {
    const { dispatcher, transport, call, cancel, handlerErrors } = server();
    dispatcher.registerHandler('wait', (_, { signal }) => {
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    call(1, 'wait');
    cancel(1);
    await settled();
    expect([transport.sent, handlerErrors]).toEqual([[], []]);
  });

  it('D14 is not harmed by unknown, finished, absent or malformed ids', () => {
    const { dispatcher, transport, call, cancel } = server();
    dispatcher.registerHandler('ping', () => ({}));
    call(1, 'ping');
    for (const id of [1, 99, undefined, null, {}, 1.5]) cancel(id);
    call(1, 'ping');
    call(2, 'ping');
    expect(transport.sent.map((sent) => 'id' in sent && sent.id)).toEqual([1, 1, 2]);
  });

  it('D14 honours a cancel that comes before its request, once', () => {
    const { dispatcher, transport, call, cancel } = server();
    const ran: unknown[] = [];
    dispatcher.registerHandler('ping', (_, { id }) => ran.push(id));
    cancel(5);
    call(5, 'ping');
    expect([ran, transport.sent]).toEqual([[], []]);
    call(5, 'ping');
    expect(ran).toEqual([5]);
  });

  it('D14 finds a request that runs on another connection of the session', async () => {
    const inFlight = new InMemoryInFlightTable();
    const running = server({ inFlight });
    const other = server({ inFlight });
    const { handler, contexts, release } = blocker();
    running.dispatcher.registerHandler('block', handler);
    running.call(1, 'block');
    other.cancel(1);
    expect(contexts[0]?.signal.aborted).toBe(true);
    release();
    await settled();
    expect([running.transport.sent, inFlight.size]).toEqual([[], 0]);
  });

  it('keeps two running requests with one id apart: each gets its own answer', async () => {
    const inFlight = new InMemoryInFlightTable();
    const one = server({ inFlight });
    const two = server({ inFlight });
    one.dispatcher.registerHandler('a', async () => 'one');
    two.dispatcher.registerHandler('a', async () => 'two');
    one.call(1, 'a');
    two.call(1, 'a');
    await settled();
    expect([one.transport.sent, two.transport.sent]).toMatchObject([[{ result: 'one' }], [{ result: 'two' }]]);
    expect(inFlight.size).toBe(0);
  });
});

describe('handler context', () => {
  it('D15 offers id, method, signal, extra, progress, notify and request, all related to the call', async () => {
    const { dispatcher, transport, call } = server<{ tenant: string }>({ extra: { tenant: 't' } });
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
    const { dispatcher, transport, call, cancel } = server();
    const contexts: HandlerContext[] = [];
    const { handler, contexts: blocked } = blocker();
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
    const { dispatcher, transport, call, cancel } = server();
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

describe('answers that fail', () => {
  it('D17 answers a thrown MCPError with its code and data, thrown at once or later', async () => {
    const { dispatcher, transport, call } = server();
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
      const { dispatcher, transport, call, handlerErrors } = server();
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
    const { dispatcher, transport, call, errors } = server();
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
    const { dispatcher, transport, call, errors } = server();
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
    const { dispatcher, transport, call } = server();
    Object.assign(transport, { acceptsPreEncoded: false });
    dispatcher.registerHandler('good', () => new PreEncoded('{"a":1}'));
    dispatcher.registerHandler('bad', () => new PreEncoded('{'));
    call(1, 'good');
    call(2, 'bad');
    expect(transport.sent).toMatchObject([{ result: { a: 1 } }, { id: 2, error: { code: -32603 } }]);
    expect((transport.sent[0] as { result: unknown }).result).not.toBeInstanceOf(PreEncoded);
  });

  it('D17 survives an answer whose `then` throws', () => {
    const { dispatcher, transport, call } = server();
    const trap = () => {
      throw new Error('trap');
    };
    dispatcher.registerHandler('trap', () => Object.defineProperty({}, 'then', { get: trap }));
    call(1, 'trap');
    expect(transport.sent).toMatchObject([{ id: 1, error: { code: -32603 } }]);
  });
});
