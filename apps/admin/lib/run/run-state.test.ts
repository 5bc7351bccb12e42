import { describe, expect, it } from 'vitest';
import { idle, maxLogs, type RunAction, reduceRun } from './run-state';

const play = (...actions: RunAction[]) => actions.reduce(reduceRun, idle);
const start: RunAction = { type: 'start', at: 100 };
const log = (n: number): RunAction => ({ type: 'log', level: 'info', data: n, at: 100 + n });

describe('a run', () => {
  it('keeps the newest progress and times the result from the start', () => {
    const state = play(
      start,
      { type: 'progress', progress: { progress: 1, total: 2 } },
      { type: 'progress', progress: { progress: 2, total: 2 } },
      { type: 'result', result: { content: [] }, at: 350 },
    );
    expect(state).toMatchObject({ status: 'done', progress: { progress: 2 }, durationMs: 250 });
  });

  it('bounds its log and counts what it dropped', () => {
    const state = play(start, ...Array.from({ length: maxLogs + 3 }, (_, n) => log(n)));
    expect(state.logs).toHaveLength(maxLogs);
    expect(state.logsDropped).toBe(3);
    expect(state.logs[0]?.data).toBe(3);
    expect(new Set(state.logs.map((line) => line.id)).size).toBe(maxLogs);
  });

  it('stays cancelled when the result crosses the cancel on the wire', () => {
    const state = play(start, { type: 'cancel', at: 200 }, { type: 'result', result: { content: [] }, at: 201 });
    expect(state.status).toBe('cancelled');
    expect(state.result).toBeUndefined();
  });

  it('starts over without anything of the run before', () => {
    const state = play(start, log(1), { type: 'cancel', at: 200 }, { type: 'start', at: 300 });
    expect(state).toMatchObject({ status: 'running', logs: [], startedAt: 300 });
  });
});
