import { describe, expect, it } from 'vitest';
import { InMemoryChangeBus } from '../memory/change-bus.js';
import { InMemoryEventLog } from '../memory/event-log.js';
import type { EventLog } from '../ports/event-log.js';
import type { JobRun } from '../ports/jobs.js';
import { FakeClock } from '../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTool, Gate, text } from '../testing/fixture-server.js';
import { jobServices } from '../testing/job-world.js';
import { turnOver } from '../testing/turn.js';
import { runJob } from './run-job.js';

const SESSION = { server: 's', owner: 'p', id: 'session' };

/** A job that says its progress twice and ends at once, whose words the log takes when the gate opens. */
function setUp(repeatable: boolean) {
  const clock = new FakeClock();
  const memory = new InMemoryEventLog(clock);
  const gate = new Gate();
  const written: string[] = [];
  const eventLog: EventLog = Object.assign(Object.create(memory) as InMemoryEventLog, {
    append: async (_session: unknown, _stream: string, data: string) => {
      await gate.pass(new AbortController().signal);
      return written.push(data);
    },
  });
  const tool = fixtureTool('speaks', (_args, context) => {
    context.progress(1, 2);
    context.progress(2, 2);
    return text('done');
  });
  const run: JobRun = {
    id: 'job',
    server: 's',
    owner: 'p',
    snapshot: fixtureSnapshot([tool]),
    tool,
    arguments: {},
    caller: {
      requestId: 1,
      progressToken: 'token',
      principal: { kind: 'key', id: 'p', scopes: [] },
      client: { revision: '2025-11-25', capabilities: {} },
    },
    face: 'call',
    reply: { key: SESSION, stream: 'stream', answers: true },
    attempt: 1,
    repeatable,
  };
  let ended = false;
  const end = runJob(run, jobServices(clock, eventLog, new InMemoryChangeBus()), new AbortController().signal);
  void end.then(() => {
    ended = true;
  });
  return { gate, written, end, ended: () => ended };
}

describe('a run of a job', () => {
  it('that may be repeated ends when the log has all that it said: its end is kept, and it says no more', async () => {
    const { gate, written, end, ended } = setUp(true);
    await gate.entered(2);
    await turnOver();
    expect([written, ended()]).toEqual([[], false]);
    gate.open();
    expect(await end).toMatchObject({ kind: 'ended', end: { outcome: { content: [{ text: 'done' }] } } });
    expect(written.map((one) => JSON.parse(one).params.progress)).toEqual([1, 2]);
  });

  it('that may not be repeated ends at once: what it did would be unknown if its process went first', async () => {
    const { written, end } = setUp(false);
    expect(await end).toMatchObject({ kind: 'ended', end: { outcome: { content: [{ text: 'done' }] } } });
    expect(written).toEqual([]);
  });
});
