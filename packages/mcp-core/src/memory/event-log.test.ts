import { expect, it } from 'vitest';
import { sessionRecord } from '../testing/contracts/index.js';
import { FakeClock } from '../testing/fake-clock.js';
import { InMemoryEventLog } from './event-log.js';

it('keeps a bounded number of ended streams, however short they are (MEM-02)', () => {
  const clock = new FakeClock();
  const log = new InMemoryEventLog(clock, 100 * 1024);
  const session = sessionRecord(clock.now());
  for (let at = 0; at <= 100; at++) {
    log.open(session, `s${at}`, { maxEvents: 10, maxBytes: 1_000 });
    log.end(session, `s${at}`);
  }
  const known = Array.from({ length: 101 }, (_, at) => log.last(session, `s${at}`));
  expect(known).toEqual([undefined, ...Array(100).fill(0)]);
});
