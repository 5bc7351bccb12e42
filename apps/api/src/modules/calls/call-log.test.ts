import { describe, expect, it } from 'vitest';
import { CallLog, type CallRecord } from './call-log.js';

function record(tool: string): CallRecord {
  return {
    tenantId: 't',
    finishedAt: 0,
    server: 's',
    tool,
    method: 'tools/call',
    status: 'ok',
    durationMs: 1,
    era: 'stateless',
    principal: 'key:1',
    source: 'mcp',
  };
}

describe('CallLog', () => {
  it('writes what was recorded, in order, in batches of bounded size', async () => {
    const batches: string[][] = [];
    const log = new CallLog({
      write: async (records) => void batches.push(records.map((r) => r.tool ?? '')),
      onLoss: () => {},
      batchMax: 2,
    });
    for (const tool of ['a', 'b', 'c']) log.record(record(tool));
    expect(log.depth).toBe(3);
    await log.flush();
    expect(batches).toEqual([['a', 'b'], ['c']]);
    expect(log.depth).toBe(0);
  });

  it('keeps its bound and reports what it gave up', async () => {
    const losses: [number, string][] = [];
    const log = new CallLog({ write: async () => {}, onLoss: (n, why) => void losses.push([n, why]), bufferMax: 2 });
    for (const tool of ['a', 'b', 'c', 'd']) log.record(record(tool));
    expect(log.depth).toBe(2);
    await log.flush();
    expect(losses).toEqual([[2, 'the buffer was full']]);
  });

  it('keeps what a write did not take, and writes it under the same names the next time', async () => {
    let away = true;
    const tries: string[][] = [];
    const delays: unknown[] = [];
    const log = new CallLog({
      write: async (calls) => {
        tries.push(calls.map(({ id }) => id));
        if (away) throw new Error('connection refused');
      },
      onLoss: () => {
        throw new Error('nothing may be lost');
      },
      onDelay: (error) => void delays.push(error),
    });
    log.record(record('a'));
    expect([await log.flush(), await log.flush()]).toEqual([false, false]);
    expect([log.depth, delays.length]).toEqual([1, 1]);
    log.record(record('b'));
    away = false;
    expect(await log.flush()).toBe(true);
    expect(tries).toEqual([tries[0], tries[0], tries[0], [expect.any(String)]]);
    expect(log.depth).toBe(0);
  });

  it('tries again by itself when the database comes back', async () => {
    let failures = 2;
    const written = new Promise<string>((resolve) => {
      const log = new CallLog({
        write: async ([call]) => {
          if (failures-- > 0) throw new Error('connection refused');
          resolve(call?.tool ?? '');
        },
        onLoss: () => {},
        flushMs: 1,
      });
      log.record(record('a'));
    });
    expect(await written).toBe('a');
  });

  it('leaves no record untold when it closes while the database is away', async () => {
    const losses: number[] = [];
    const log = new CallLog({
      write: async () => {
        throw new Error('connection refused');
      },
      onLoss: (n) => void losses.push(n),
      batchMax: 2,
    });
    for (const tool of ['a', 'b', 'c']) log.record(record(tool));
    await log.close();
    expect([losses, log.depth]).toEqual([[3], 0]);
  });

  it('shares one flush between callers', async () => {
    let writes = 0;
    const log = new CallLog({ write: async () => void (writes += 1), onLoss: () => {} });
    log.record(record('a'));
    await Promise.all([log.flush(), log.flush()]);
    expect(writes).toBe(1);
  });
});
