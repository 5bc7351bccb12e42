import type { JobEnd } from '@gantry/mcp-core';
import { InMemoryEventLog } from '@gantry/mcp-core';
import { FakeClock } from '@gantry/mcp-core/testing';
import { describe, expect, it } from 'vitest';
import type { JobRecord } from '../../modules/jobs/store/job-record.js';
import { ServerGone } from './job-servers.js';
import { ToolJobs } from './tool-jobs.js';

const KEY = { server: 's', owner: 'o', id: 'session' };
const OUTCOME: JobEnd = { outcome: { content: [{ type: 'text', text: 'done' }] } };
const ERROR: JobEnd = { error: { code: -32603, message: 'Internal error' } };

/** A call that waits on its stream, whose server cannot be had. */
async function waiting(fault: Error) {
  const eventLog = new InMemoryEventLog(new FakeClock());
  await eventLog.open(KEY, 'call', { maxEvents: 10, maxBytes: 1_000 });
  const booked: string[] = [];
  const jobs = new ToolJobs({
    servers: { of: () => Promise.reject(fault) } as never,
    services: { eventLog } as never,
    log: { record: ({ status }: { status: string }) => void booked.push(status) } as never,
  });
  const job = {
    id: 'j',
    server: 'orders',
    tool: 'report',
    status: 'failed',
    error: 'words',
    createdAt: new Date(),
    caller: { requestId: 7, client: { revision: '2025-06-18', capabilities: {} } },
    reply: { key: KEY, stream: 'call', answers: true },
  } as unknown as JobRecord;
  const said = async () => {
    const { events = [], ended } = (await eventLog.readAfter(KEY, 'call', 0)) ?? {};
    return { answers: events.map(({ data }) => JSON.parse(data)), ended };
  };
  return { jobs, job, said, booked };
}

describe('a caller whose server is gone', () => {
  it.each([
    ['an outcome', OUTCOME, 'The server of this call is gone, and its answer with it'],
    ['an error', ERROR, 'Internal error'],
  ])('is answered with an error, where its job ended with %s', async (_what, end, message) => {
    const { jobs, job, said } = await waiting(new ServerGone('gone'));
    await jobs.answer(job, end);
    expect(await said()).toEqual({
      answers: [{ jsonrpc: '2.0', id: 7, error: { code: -32603, message } }],
      ended: true,
    });
  });

  it('is let go of, told or not', async () => {
    const told = await waiting(new ServerGone('gone'));
    await told.jobs.leave({ ...told.job, cancelTold: true, cancelReason: 'why' });
    expect((await told.said()).answers).toMatchObject([{ error: { message: 'The call was cancelled: why' } }]);
    const left = await waiting(new ServerGone('gone'));
    await left.jobs.leave(left.job);
    expect(await left.said()).toEqual({ answers: [], ended: true });
  });

  it('is told later, where its server only could not be read', async () => {
    const { jobs, job, said } = await waiting(new Error('Connection terminated'));
    await expect(jobs.answer(job, OUTCOME)).rejects.toThrow('Connection terminated');
    expect((await said()).answers).toEqual([]);
  });
});

it('books a failure as the tool’s own only where the tool ran and said so', async () => {
  const { jobs, job, booked } = await waiting(new Error('unused'));
  jobs.ended(job, { outcome: { content: [], isError: true } });
  jobs.ended(job, ERROR);
  jobs.ended({ ...job, status: 'unknown' });
  jobs.ended({ ...job, status: 'cancelled' });
  jobs.ended({ ...job, status: 'completed' }, OUTCOME);
  expect(booked).toEqual(['tool_error', 'error', 'error', 'cancelled', 'ok']);
});
