import { describe, expect, it } from 'vitest';
import { idle, maxLogs, type RunAction, type RunState, reduceRun } from './run-state';

const play = (...actions: RunAction[]) => actions.reduce<RunState>(reduceRun, idle);
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

  it('asks, keeps what was said so far, and goes on with the answer', () => {
    const asked = { inputRequests: { name: { method: 'elicitation/create' } }, requestState: 's' };
    const asking = play(start, log(1), { type: 'ask', asked });
    expect(asking).toMatchObject({ status: 'asking', asked, logs: [{ data: 1 }] });
    const done = [{ type: 'answer' }, log(2), { type: 'result', result: { content: [] }, at: 900 }] as RunAction[];
    const state = done.reduce(reduceRun, asking);
    expect(state).toMatchObject({ status: 'done', durationMs: 800, logs: [{ data: 1 }, { data: 2 }] });
    expect(state.asked).toBeUndefined();
  });

  it('can be cancelled while it asks', () => {
    const state = play(start, { type: 'ask', asked: { inputRequests: {} } }, { type: 'cancel', at: 150 });
    expect(state).toMatchObject({ status: 'cancelled', durationMs: 50 });
    expect(state.asked).toBeUndefined();
  });
});
