import { FakeClock } from '@gantry/mcp-core/testing';
import { expect, it, vi } from 'vitest';
import { type FeedFrame, type FeedSource, TopicFeed } from './topic-feed.js';
import type { Hints } from './watch-board.js';

/** Lets what waits on promises happen. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

function open() {
  const clock = new FakeClock();
  const onFault = vi.fn();
  const onIdle = vi.fn();
  let change: (hints: Hints) => void = () => undefined;
  const source = {
    snapshot: vi.fn(async () => ({ items: ['all'] })),
    delta: vi.fn(async ({ items }: Hints) => ({ body: { upserted: [...items.keys()] }, shown: items.size })),
  } satisfies FeedSource;
  const feed = new TopicFeed({
    topic: 't',
    epoch: 'e',
    source,
    clock,
    watch: (listener) => {
      change = listener;
      return () => undefined;
    },
    onFault,
    onIdle,
  });
  const changed = async (...ids: string[]) => {
    change({ items: new Map(ids.map((id) => [id, undefined])), count: ids.length, overflow: false });
    await settled();
  };
  const pass = async (ms: number) => {
    clock.advance(ms);
    await settled();
  };
  return { clock, feed, source, onFault, onIdle, changed, pass };
}

function reader() {
  const frames: Record<string, unknown>[] = [];
  return { frames, hear: ({ json }: FeedFrame) => void frames.push(JSON.parse(json)) };
}

it('begins with a snapshot, and counts what follows', async () => {
  const { feed, changed, pass } = open();
  const { frames, hear } = reader();
  feed.listen(hear);
  await settled();
  await changed('a');
  await pass(0);
  await changed('b');
  await pass(250);
  expect(frames).toEqual([
    { kind: 'snapshot', topic: 't', number: 0, skipped: 0, items: ['all'] },
    { kind: 'delta', topic: 't', number: 1, skipped: 0, upserted: ['a'] },
    { kind: 'delta', topic: 't', number: 2, skipped: 0, upserted: ['b'] },
  ]);
});

it('sends four frames a second at most, merged, and says how much was merged away', async () => {
  const { feed, changed, pass } = open();
  const { frames, hear } = reader();
  feed.listen(hear);
  await settled();
  for (let step = 0; step < 100; step += 1) {
    await changed('a', `b${step % 2}`);
    await pass(10);
  }
  await pass(250);
  const deltas = frames.slice(1) as { number: number; skipped: number; upserted: string[] }[];
  expect(deltas.length).toBeGreaterThanOrEqual(4);
  expect(deltas.length).toBeLessThanOrEqual(5);
  expect(deltas.map(({ number }) => number)).toEqual(deltas.map((_, at) => at + 1));
  const shown = deltas.reduce((sum, { upserted }) => sum + upserted.length, 0);
  const skipped = deltas.reduce((sum, delta) => sum + delta.skipped, 0);
  expect(shown + skipped).toBe(200);
});

it('goes on behind a number that is still kept, without a snapshot', async () => {
  const { feed, changed, pass, source } = open();
  const first = reader();
  const stop = feed.listen(first.hear);
  await settled();
  for (const id of ['a', 'b', 'c']) {
    await changed(id);
    await pass(250);
  }
  stop();
  const again = reader();
  feed.listen(again.hear, 1);
  expect(again.frames.map(({ number, kind }) => [kind, number])).toEqual([
    ['delta', 2],
    ['delta', 3],
  ]);
  expect(source.snapshot).toHaveBeenCalledTimes(1);
});

it('begins anew for whoever was away for too long, or comes from somewhere else', async () => {
  const { feed, changed, pass } = open();
  feed.listen(() => undefined);
  await settled();
  for (let at = 0; at < 150; at += 1) {
    await changed(`x${at}`);
    await pass(250);
  }
  for (const after of [3, 9_999]) {
    const late = reader();
    feed.listen(late.hear, after);
    await settled();
    expect(late.frames.map(({ kind, number }) => [kind, number])).toEqual([['snapshot', 150]]);
  }
});

it('says everything anew when it cannot tell what has changed', async () => {
  const { feed, source, onFault, changed, pass } = open();
  const { frames, hear } = reader();
  feed.listen(hear);
  await settled();
  source.delta.mockRejectedValueOnce(new Error('away'));
  await changed('a');
  await pass(0);
  expect([onFault.mock.calls.length, frames.length]).toEqual([1, 1]);
  await pass(1_000);
  expect(frames.map(({ kind, number }) => [kind, number])).toEqual([
    ['snapshot', 0],
    ['snapshot', 1],
  ]);
});

it('says everything anew, in a moment, when some of a change could not be learned', async () => {
  const { feed, changed, pass, source, onFault } = open();
  const { frames, hear } = reader();
  feed.listen(hear);
  await settled();
  source.delta.mockResolvedValueOnce({ body: { upserted: [] }, shown: 0, partial: true } as never);
  await changed('a');
  await pass(0);
  await pass(1_000);
  expect(frames.map(({ kind, number }) => [kind, number])).toEqual([
    ['snapshot', 0],
    ['delta', 1],
    ['snapshot', 2],
  ]);
  expect(onFault).not.toHaveBeenCalled();
});

it('tries again for a reader whose snapshot failed', async () => {
  const { feed, source, pass } = open();
  source.snapshot.mockRejectedValueOnce(new Error('away'));
  const { frames, hear } = reader();
  feed.listen(hear);
  await settled();
  expect(frames).toEqual([]);
  await pass(1_000);
  expect(frames).toHaveLength(1);
});

it('is idle half a minute after the last reader left, not before', async () => {
  const { feed, onIdle, clock, pass } = open();
  feed.listen(() => undefined)();
  await settled();
  await pass(29_999);
  expect(onIdle).not.toHaveBeenCalled();
  await pass(1);
  expect(onIdle).toHaveBeenCalledTimes(1);
  feed.close();
  expect(clock.pending).toBe(0);
});
