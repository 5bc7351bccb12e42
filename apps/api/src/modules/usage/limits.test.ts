import { expect, it } from 'vitest';
import { effectiveLimits } from './limits.js';

it("puts the tenant's own limits before the platform's", () => {
  const platform = {
    callsPerMinute: 100,
    concurrentCalls: undefined,
    sessions: 7,
    sessionsPerKey: 3,
    concurrentJobs: 50,
    listensPerKey: 4,
  };
  expect(effectiveLimits({ callsPerMinute: 5, listens: 1 }, platform)).toEqual({
    callsPerMinute: 5,
    concurrentCalls: undefined,
    sessions: 7,
    sessionsPerKey: 3,
    listens: 1,
    concurrentJobs: 50,
  });
});
