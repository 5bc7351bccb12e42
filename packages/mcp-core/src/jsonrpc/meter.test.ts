import { describe, expect, it } from 'vitest';
import { type Meter, noopMeter, type Outcome } from '../ports/meter.js';
import { serverEnd } from '../testing/dispatcher-ends.js';
import { dispatcherPair, settled } from '../testing/dispatcher-pair.js';
import { FakeClock } from '../testing/fake-clock.js';
import { RecordingTransport } from '../testing/recording-transport.js';
import { JsonRpcDispatcher, MCPError, OTHER_METHOD } from './index.js';

type Entry = [method: string, side: string, direction: string, outcome?: Outcome, durationMs?: number];

class RecordingMeter implements Meter {
  readonly entries: Entry[] = [];

  recordRequest(...entry: Parameters<Meter['recordRequest']>): void {
    this.entries.push(entry);
  }

  recordNotification(...entry: Parameters<Meter['recordNotification']>): void {
    this.entries.push(entry);
  }

  /** Entries in an order that does not depend on which end was told first. */
  get sorted(): Entry[] {
    return [...this.entries].sort((a, b) => a.join().localeCompare(b.join()));
  }
}

function measuredPair() {
  const meter = new RecordingMeter();
  return { meter, ...dispatcherPair({ meter }, { meter }) };
}

describe('measuring', () => {
  it('D19 counts and times requests of both directions by method, side and outcome', async () => {
    const { meter, server, client, clock } = measuredPair();
    server.registerHandler('good', async () => {
      clock.advance(30);
      return {};
    });
    client.registerHandler('bad', () => {
      throw new MCPError(1, 'no');
    });
    await client.request('good');
    await server.request('bad').catch(() => {});
    expect(meter.sorted).toEqual([
      ['bad', 'client', 'in', 'error', 0],
      ['bad', 'server', 'out', 'error', 0],
      ['good', 'client', 'out', 'ok', 30],
      ['good', 'server', 'in', 'ok', 30],
    ]);
  });

  it('D19 counts notifications of both directions', async () => {
    const { meter, server, client } = measuredPair();
    server.onNotification('n', () => {});
    await client.notify('n');
    await settled();
    expect(meter.sorted).toEqual([
      ['n', 'client', 'out'],
      ['n', 'server', 'in'],
    ]);
  });

  it('D19 tells cancelled, timed out and closed requests apart, on both sides', async () => {
    const { meter, server, client, clock } = measuredPair();
    server.registerHandler('block', () => new Promise(() => {}));
    const controller = new AbortController();
    const all = Promise.allSettled([
      client.request('block', {}, { signal: controller.signal }),
      client.request('block', {}, { timeoutMs: 50 }),
      client.request('block'),
    ]);
    await settled();
    controller.abort();
    clock.advance(50);
    await settled();
    await client.close();
    await all;
    await settled();
    expect(meter.sorted.filter(([method]) => method === 'block')).toEqual([
      ['block', 'client', 'out', 'cancelled', 0],
      ['block', 'client', 'out', 'closed', 50],
      ['block', 'client', 'out', 'timeout', 50],
      ['block', 'server', 'in', 'cancelled', 50],
      ['block', 'server', 'in', 'cancelled', 50],
      ['block', 'server', 'in', 'closed', 50],
    ]);
    expect(meter.sorted.filter(([method]) => method === 'notifications/cancelled')).toHaveLength(4);
  });

  it('D19 counts an answer that could not be encoded as an error, once', async () => {
    const { meter, server, client } = measuredPair();
    server.registerHandler('big', () => ({ n: 1n }));
    await client.request('big').catch(() => {});
    expect(meter.sorted.filter(([, side]) => side === 'server')).toEqual([['big', 'server', 'in', 'error', 0]]);
  });

  it('D19 counts an answer that left without a promise', () => {
    const meter = new RecordingMeter();
    const { dispatcher, call } = serverEnd({ meter });
    dispatcher.registerHandler('ping', () => ({}));
    call(1, 'ping');
    expect(meter.entries).toEqual([['ping', 'server', 'in', 'ok', 0]]);
  });

  it('D19 puts methods that nobody here knows under one label', async () => {
    const { meter, client } = measuredPair();
    await client.request('made/up/1').catch(() => {});
    await client.notify('made/up/2');
    await settled();
    expect(meter.sorted.filter(([, side]) => side === 'server')).toEqual([
      [OTHER_METHOD, 'server', 'in'],
      [OTHER_METHOD, 'server', 'in', 'error', 0],
    ]);
  });

  it.each([noopMeter, undefined])('D19 never reads the clock when nobody measures', async (meter) => {
    const clock = new FakeClock();
    const transport = new RecordingTransport();
    const dispatcher = new JsonRpcDispatcher({ side: 'server', dispatcherId: 'd', transport, clock, meter });
    dispatcher.registerHandler('ping', () => ({}));
    dispatcher.receive({ jsonrpc: '2.0', id: 1, method: 'ping' });
    dispatcher.receive({ jsonrpc: '2.0', id: 2, method: 'unknown' });
    dispatcher.receive({ jsonrpc: '2.0', method: 'n' });
    const asked = dispatcher.request('a');
    await dispatcher.notify('n');
    transport.deliver({ jsonrpc: '2.0', id: 1, result: {} });
    await asked;
    expect(clock.reads).toBe(0);
  });
});
