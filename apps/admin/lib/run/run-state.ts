import type { Problem, TryToolAnswer } from '@gantry/contracts';
import type { Asked } from '@/lib/questions/requests';

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

export interface LogLine {
  id: number;
  level: string;
  data: unknown;
  logger?: string;
  /** Milliseconds since the run began. */
  at: number;
}

/** One run of a tool, prompt or resource as the reader sees it, over all its rounds of questions. */
export interface RunState<R = TryToolAnswer> {
  status: 'idle' | 'running' | 'asking' | 'done' | 'failed' | 'cancelled';
  startedAt: number;
  durationMs: number;
  progress?: Progress;
  logs: LogLine[];
  logsDropped: number;
  /** What the run waits for, while it is `asking`. */
  asked?: Asked;
  result?: R;
  problem?: Problem;
}

export type RunAction<R = TryToolAnswer> =
  | { type: 'start'; at: number }
  | { type: 'progress'; progress: Progress }
  | { type: 'log'; level: string; data: unknown; logger?: string; at: number }
  | { type: 'ask'; asked: Asked }
  | { type: 'answer' }
  | { type: 'result'; result: R; at: number }
  | { type: 'problem'; problem: Problem; at: number }
  | { type: 'cancel'; at: number };

/** A chatty tool must not grow the page without end. */
export const maxLogs = 500;

export const idle: RunState<never> = { status: 'idle', startedAt: 0, durationMs: 0, logs: [], logsDropped: 0 };

export function reduceRun<R>(state: RunState<R>, action: RunAction<R>): RunState<R> {
  if (action.type === 'start') return { ...idle, status: 'running', startedAt: action.at };
  const live = state.status === 'running' || state.status === 'asking';
  // What comes after the end (a cancel that crossed the result on the wire) is late and changes nothing.
  if (!live) return state;
  switch (action.type) {
    case 'progress':
      return { ...state, progress: action.progress };
    case 'log': {
      const line = {
        id: state.logsDropped + state.logs.length,
        level: action.level,
        data: action.data,
        logger: action.logger,
        at: action.at - state.startedAt,
      };
      const full = state.logs.length >= maxLogs;
      return {
        ...state,
        logs: [...(full ? state.logs.slice(1) : state.logs), line],
        logsDropped: state.logsDropped + (full ? 1 : 0),
      };
    }
    case 'ask':
      return { ...state, status: 'asking', asked: action.asked };
    case 'answer':
      return { ...state, status: 'running', asked: undefined };
    case 'result':
      return end(state, 'done', action.at, { result: action.result });
    case 'problem':
      return end(state, 'failed', action.at, { problem: action.problem });
    case 'cancel':
      return end(state, 'cancelled', action.at, {});
  }
}

function end<R>(state: RunState<R>, status: RunState['status'], at: number, more: Partial<RunState<R>>): RunState<R> {
  return { ...state, ...more, status, asked: undefined, durationMs: at - state.startedAt };
}
