import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../testing/fake-clock.js';
import { RecordingResponder } from '../../testing/recording-responder.js';
import { CUT_AFTER_MS, SseConnection } from './sse-connection.js';
import { dataFrame } from './sse-frame.js';

function setUp() {
  const clock = new FakeClock();
  const responder = new RecordingResponder();
  let overruns = 0;
  const connection = new SseConnection(responder, clock, 15_000, 1_000, () => void overruns++);
  const fallBehind = () => {
    responder.queuedBytes = 1_001;
    for (const word of ['one', 'two']) connection.write(dataFrame(word));
  };
  return { clock, responder, connection, fallBehind, overruns: () => overruns };
}

describe('a reader that falls behind', () => {
  it('is cut off once, and loses its connection when it still takes nothing', () => {
    const { clock, responder, fallBehind, overruns } = setUp();
    fallBehind();
    expect([responder.done, responder.frames, overruns()]).toEqual([true, [], 1]);
    clock.advance(CUT_AFTER_MS - 1);
    expect(responder.cut).toBe(false);
    clock.advance(1);
    expect([responder.cut, clock.pending]).toEqual([true, 0]);
  });

  it('is left alone when it takes what was queued, or leaves', () => {
    const slow = setUp();
    slow.fallBehind();
    slow.responder.queuedBytes = 0;
    slow.clock.advance(CUT_AFTER_MS);
    expect(slow.responder.cut).toBe(false);
    const gone = setUp();
    gone.fallBehind();
    gone.connection.abandon();
    expect(gone.clock.pending).toBe(0);
  });
});
