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

  it('survives a write that fails once', async () => {
    let failures = 1;
    const written: string[] = [];
    const log = new CallLog({
      write: async (records) => {
        if (failures-- > 0) throw new Error('connection lost');
        written.push(...records.map((r) => r.tool ?? ''));
      },
      onLoss: () => {
        throw new Error('nothing may be lost');
      },
    });
    log.record(record('a'));
    await log.flush();
    expect(written).toEqual(['a']);
  });

  it('says what was lost when the database stays away, and goes on afterwards', async () => {
    let away = true;
    const losses: [number, string][] = [];
    const written: string[] = [];
    const log = new CallLog({
      write: async (records) => {
        if (away) throw new Error('connection refused');
        written.push(...records.map((r) => r.tool ?? ''));
      },
      onLoss: (n, why) => void losses.push([n, why]),
    });
    log.record(record('a'));
    await log.flush();
    expect(losses).toEqual([[1, 'connection refused']]);
    away = false;
    log.record(record('b'));
    await log.flush();
    expect(written).toEqual(['b']);
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
    expect([losses, log.depth]).toEqual([[2, 1], 0]);
  });

  it('shares one flush between callers', async () => {
    let writes = 0;
    const log = new CallLog({ write: async () => void (writes += 1), onLoss: () => {} });
    log.record(record('a'));
    await Promise.all([log.flush(), log.flush()]);
    expect(writes).toBe(1);
  });
});
