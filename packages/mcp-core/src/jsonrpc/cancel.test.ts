import { describe, expect, it } from 'vitest';
import { blockingHandler, serverEnd } from '../testing/dispatcher-ends.js';
import { settled } from '../testing/dispatcher-pair.js';
import { InMemoryInFlightTable } from './index.js';

describe('cancels', () => {
  it('D14 aborts the running handler with that id and nothing else, and answers nothing', async () => {
    const { dispatcher, transport, call, cancel } = serverEnd();
    const { handler, contexts, release } = blockingHandler();
    dispatcher.registerHandler('block', handler);
    call(1, 'block');
    call('1', 'block');
    const early = contexts[0]?.signal;
    cancel(1, 'user left');
    expect(early?.aborted).toBe(true);
    expect(early?.reason).toMatchObject({ message: 'user left' });
    expect(contexts[1]?.signal.aborted).toBe(false);
    expect(dispatcher.running).toBe(1);
    release();
    await settled();
    expect(dispatcher.running).toBe(0);
    expect(transport.sent).toEqual([{ jsonrpc: '2.0', id: '1', result: { done: '1' } }]);
  });

  it('D14 shows a signal first read after the cancel as aborted', () => {
    const { dispatcher, call, cancel } = serverEnd();
    const { handler, contexts } = blockingHandler();
    dispatcher.registerHandler('block', handler);
    call(1, 'block');
    cancel(1);
    expect(contexts[0]?.signal.aborted).toBe(true);
  });

  it('D14 keeps silent about a cancelled handler that ends by throwing its abort', async () => {
    const { dispatcher, transport, call, cancel, handlerErrors } = serverEnd();
    dispatcher.registerHandler('wait', (_, { signal }) => {
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    call(1, 'wait');
    cancel(1);
    await settled();
    expect([transport.sent, handlerErrors]).toEqual([[], []]);
  });

  it('D14 is not harmed by unknown, finished, absent or malformed ids', () => {
    const { dispatcher, transport, call, cancel } = serverEnd();
    dispatcher.registerHandler('ping', () => ({}));
    call(1, 'ping');
    for (const id of [1, 99, undefined, null, {}, 1.5]) cancel(id);
    call(1, 'ping');
    call(2, 'ping');
    expect(transport.sent.map((sent) => 'id' in sent && sent.id)).toEqual([1, 1, 2]);
  });

  it('D14 honours a cancel that comes before its request, once', () => {
    const { dispatcher, transport, call, cancel } = serverEnd();
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
    const running = serverEnd({ inFlight });
    const other = serverEnd({ inFlight });
    const { handler, contexts, release } = blockingHandler();
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
    const one = serverEnd({ inFlight });
    const two = serverEnd({ inFlight });
    one.dispatcher.registerHandler('a', async () => 'one');
    two.dispatcher.registerHandler('a', async () => 'two');
    one.call(1, 'a');
    two.call(1, 'a');
    await settled();
    expect([one.transport.sent, two.transport.sent]).toMatchObject([[{ result: 'one' }], [{ result: 'two' }]]);
    expect(inFlight.size).toBe(0);
  });
});
