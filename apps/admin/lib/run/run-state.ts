import type { Problem, TryToolAnswer } from '@gantry/contracts';

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

/** One run of a tool as the reader sees it. */
export interface RunState {
  status: 'idle' | 'running' | 'done' | 'failed' | 'cancelled';
  startedAt: number;
  durationMs: number;
  progress?: Progress;
  logs: LogLine[];
  logsDropped: number;
  result?: TryToolAnswer;
  problem?: Problem;
}

export type RunAction =
  | { type: 'start'; at: number }
  | { type: 'progress'; progress: Progress }
  | { type: 'log'; level: string; data: unknown; logger?: string; at: number }
  | { type: 'result'; result: TryToolAnswer; at: number }
  | { type: 'problem'; problem: Problem; at: number }
  | { type: 'cancel'; at: number };

/** A chatty tool must not grow the page without end. */
export const maxLogs = 500;

export const idle: RunState = { status: 'idle', startedAt: 0, durationMs: 0, logs: [], logsDropped: 0 };

export function reduceRun(state: RunState, action: RunAction): RunState {
  if (action.type === 'start') return { ...idle, status: 'running', startedAt: action.at };
  // What comes after the end (a cancel that crossed the result on the wire) is late and changes nothing.
  if (state.status !== 'running') return state;
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
    case 'result':
      return { ...state, status: 'done', result: action.result, durationMs: action.at - state.startedAt };
    case 'problem':
      return { ...state, status: 'failed', problem: action.problem, durationMs: action.at - state.startedAt };
    case 'cancel':
      return { ...state, status: 'cancelled', durationMs: action.at - state.startedAt };
  }
}
