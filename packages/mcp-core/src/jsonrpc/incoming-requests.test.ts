import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serverEnd } from '../testing/dispatcher-ends.js';
import { settled } from '../testing/dispatcher-pair.js';
import type { Handler } from './index.js';

describe('method table', () => {
  it('D3 takes one handler a method, refuses a second, and answers -32601 without one', () => {
    const { dispatcher, transport, call } = serverEnd();
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
    const { dispatcher, transport, call } = serverEnd<string>({ handlers, extra: 'E' });
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
    const { dispatcher, transport, call } = serverEnd();
    dispatcher.registerHandler('ping', () => undefined);
    call('p', 'ping');
    expect(transport.sent).toEqual([{ jsonrpc: '2.0', id: 'p', result: {} }]);
  });

  it('gives params that were absent as an object of the handler’s own', () => {
    const { dispatcher, transport, call } = serverEnd();
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
    const { dispatcher, transport, call } = serverEnd({ paramSchemas });
    dispatcher.registerHandler('move', () => expect.unreachable());
    call(1, 'move', { to: { x: 'left' }, fast: 1 });
    expect(transport.sent).toMatchObject([
      { id: 1, error: { code: -32602, data: { issues: [{ path: 'to.x' }, { path: 'fast' }] } } },
    ]);
    expect(JSON.stringify(transport.sent)).toMatch(/Invalid params: to\.x: .*; fast: /);
  });

  it('D5 hands the handler what the schema made of the params', () => {
    const { dispatcher, transport, call } = serverEnd({ paramSchemas });
    dispatcher.registerHandler('move', (params) => params);
    call(1, 'move', { to: { x: 1 }, _meta: {} });
    expect(transport.sent).toMatchObject([{ result: { to: { x: 1 }, fast: false, _meta: {} } }]);
  });

  it('D5 waits for a schema that is asynchronous, and takes a broken one for a fault of ours', async () => {
    const { dispatcher, transport, call, handlerErrors } = serverEnd({ paramSchemas });
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
    const { dispatcher, transport, call } = serverEnd({ paramSchemas });
    dispatcher.registerHandler('constructor', () => 'ok');
    call(1, 'constructor');
    expect(transport.sent).toMatchObject([{ result: 'ok' }]);
  });
});
