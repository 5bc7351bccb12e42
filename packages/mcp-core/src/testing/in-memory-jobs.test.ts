import { InMemoryChangeBus } from '../memory/change-bus.js';
import { InMemoryEventLog } from '../memory/event-log.js';
import { jobsContract } from './contracts/index.js';
import { FakeClock } from './fake-clock.js';
import { fixtureSnapshot } from './fixture-server.js';
import { InMemoryJobs } from './in-memory-jobs.js';
import { jobServices } from './job-world.js';

jobsContract('memory', (tools) => {
  const clock = new FakeClock();
  const changes = new InMemoryChangeBus();
  const eventLog = new InMemoryEventLog(clock);
  const jobs = new InMemoryJobs(jobServices(clock, eventLog, changes), changes);
  const otherServer = { server: 'other', jobs };
  return { jobs, elsewhere: jobs, changes, eventLog, server: 'fixture', snapshot: fixtureSnapshot(tools), otherServer };
});
