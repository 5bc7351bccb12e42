import type { SessionKey, TracedMessage } from '@gantry/mcp-core';
import { expect, it, vi } from 'vitest';
import { TraceRings } from './trace-rings.js';

const session = (id: string, tenant = 'acme'): SessionKey => ({ server: `${tenant}/main`, owner: 'key:1', id });
const request: TracedMessage = { direction: 'client', kind: 'request', method: 'ping', requestId: 1, bytes: 10 };

it('keeps the last 200 messages of a session, in order, and says how many it dropped', () => {
  const rings = new TraceRings(() => 0);
  for (let at = 0; at < 450; at += 1) rings.message(session('a'), { ...request, requestId: at });
  const { messages, dropped } = rings.messages('acme', 'a');
  expect(dropped).toBe(250);
  expect(messages.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 200 }, (_, at) => 251 + at));
  expect(messages[0]?.requestId).toBe(250);
});

it('shows a session to its tenant and nobody else', () => {
  const rings = new TraceRings(() => 0);
  rings.message(session('a'), request);
  expect(rings.messages('rival', 'a').messages).toEqual([]);
  expect(rings.has('rival', 'a')).toBe(false);
  expect(rings.counts({ ...session('a'), owner: 'key:2' })).toBeUndefined();
});

it('forgets the sessions that were silent longest when all take too much', () => {
  let now = 0;
  const rings = new TraceRings(() => now, 2_000);
  for (const id of ['a', 'b', 'c', 'a', 'd']) {
    now += 2_000;
    rings.message(session(id), request);
  }
  expect(['a', 'b', 'c', 'd'].map((id) => rings.has('acme', id))).toEqual([true, false, true, true]);
});

it('finds what an answer of the client answers, and how long that took', () => {
  let now = 0;
  const rings = new TraceRings(() => now);
  rings.message(session('a'), { ...request, direction: 'server', method: 'sampling/createMessage', requestId: 'q' });
  now = 70;
  rings.message(session('a'), { direction: 'client', kind: 'response', requestId: 'q', bytes: 5 });
  expect(rings.messages('acme', 'a').messages[1]).toMatchObject({ method: 'sampling/createMessage', durationMs: 70 });
});

it('finds what an answer of ours answers where only its text was seen, and keeps which stream was opened', () => {
  let now = 0;
  const rings = new TraceRings(() => now);
  rings.message(session('a'), { ...request, method: 'tools/call', requestId: 'r'.repeat(300) });
  now = 40;
  rings.message(session('a'), { direction: 'server', kind: 'response', requestId: 'r'.repeat(300), bytes: 5 });
  rings.message(session('a'), { direction: 'server', kind: 'stream', name: 'open', stream: 's1', bytes: 0 });
  const [, answer, opened] = rings.messages('acme', 'a').messages;
  expect(answer).toMatchObject({ method: 'tools/call', durationMs: 40 });
  expect(opened).toMatchObject({ name: 'open', stream: 's1' });
});

it('keeps no more of a name than a reader needs', () => {
  const rings = new TraceRings(() => 0);
  rings.message(session('a'), { ...request, name: 'x'.repeat(1_000_000), requestId: 'y'.repeat(1_000_000) });
  const [kept] = rings.messages('acme', 'a').messages;
  expect([kept?.name?.length, String(kept?.requestId).length]).toEqual([128, 128]);
});

it('counts answers and errors, tells of each change, and forgets a session that ended', () => {
  const rings = new TraceRings(() => 5);
  const heard = vi.fn();
  rings.onChange(heard);
  rings.message(session('a'), { ...request, direction: 'server', kind: 'response' });
  rings.message(session('a'), { ...request, direction: 'server', kind: 'error' });
  expect(rings.counts(session('a'))).toMatchObject({ calls: 2, errors: 1, lastAt: 5 });
  rings.ended(session('a'));
  expect(heard.mock.calls).toEqual([
    ['acme', 'a', false],
    ['acme', 'a', false],
    ['acme', 'a', true],
  ]);
  expect(rings.has('acme', 'a')).toBe(false);
});
