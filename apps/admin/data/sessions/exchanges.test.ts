import type { SessionMessage } from '@gantry/contracts';
import { describe, expect, it } from 'vitest';
import { toExchanges } from './exchanges';

let sequence = 0;
const message = (ms: number, kind: SessionMessage['kind'], more: Partial<SessionMessage> = {}): SessionMessage => ({
  at: new Date(ms).toISOString(),
  direction: 'client',
  kind,
  bytes: 10,
  node: 'n1',
  sequence: ++sequence,
  ...more,
});
const call = (ms: number, requestId: number | string, more: Partial<SessionMessage> = {}) =>
  message(ms, 'request', { method: 'tools/call', requestId, ...more });
const answer = (ms: number, requestId: number | string, more: Partial<SessionMessage> = {}) =>
  message(ms, 'response', { direction: 'server', method: 'tools/call', requestId, ...more });

describe('messages, joined to what they belong to', () => {
  it('make a request with its answer, on whichever nodes they were seen', () => {
    const [one] = toExchanges([call(100, 1, { name: 'add' }), answer(350, 1, { node: 'n2', bytes: 99 })]);
    expect(one).toMatchObject({
      lane: 'in',
      name: 'add',
      from: 100,
      to: 350,
      outcome: 'ok',
      bytes: 10,
      answerBytes: 99,
    });
  });

  it('tell apart ids of different types, and questions from calls', () => {
    const found = toExchanges([
      call(1, 1),
      call(2, '1'),
      message(3, 'request', { direction: 'server', method: 'elicitation/create', requestId: 1 }),
      answer(4, '1', { kind: 'error' }),
      message(5, 'response', { direction: 'client', method: 'elicitation/create', requestId: 1 }),
    ]);
    expect(found.map(({ lane, requestId, outcome }) => [lane, requestId, outcome])).toEqual([
      ['in', 1, 'open'],
      ['in', '1', 'error'],
      ['out', 1, 'ok'],
    ]);
  });

  it('answer the first of two requests that share an id', () => {
    const found = toExchanges([call(1, 0), call(2, 0), answer(3, 0), answer(9, 0)]);
    expect(found.map(({ from, to }) => [from, to])).toEqual([
      [1, 3],
      [2, 9],
    ]);
  });

  it('stand with the time an answer took when its request is not kept', () => {
    expect(toExchanges([answer(500, 7, { durationMs: 200 })])[0]).toMatchObject({ lane: 'in', from: 300, to: 500 });
  });

  it('answer by the id alone where no method is said, and else only what was asked', () => {
    const list = message(1, 'request', { method: 'tools/list', requestId: 3 });
    const found = toExchanges([list, call(2, 3), answer(5, 3), answer(8, 3, { method: undefined })]);
    expect(found.map(({ method, to }) => [method, to])).toEqual([
      ['tools/list', 8],
      ['tools/call', 5],
    ]);
  });

  it('close the stream they name, in whatever order and on the node that showed it', () => {
    const stream = (ms: number, name: string, of: string, node = 'n1') =>
      message(ms, 'stream', { name, stream: of, node });
    const found = toExchanges([
      stream(1, 'open', 'a'),
      stream(2, 'open', 'b'),
      stream(3, 'open', 'a', 'n2'),
      stream(4, 'close', 'a'),
      stream(5, 'close', 'b'),
      stream(6, 'open', 'a'),
    ]);
    expect(found.map(({ lane, from, to, node }) => [lane, from, to, node])).toEqual([
      ['streams', 1, 4, 'n1'],
      ['streams', 2, 5, 'n1'],
      ['streams', 3, undefined, 'n2'],
      ['streams', 6, undefined, 'n1'],
    ]);
  });

  it('are points where nothing is answered', () => {
    const [one] = toExchanges([message(5, 'notification', { method: 'notifications/progress', direction: 'server' })]);
    expect(one).toMatchObject({ lane: 'notifications', from: 5, to: 5, outcome: 'sent', direction: 'server' });
  });
});
