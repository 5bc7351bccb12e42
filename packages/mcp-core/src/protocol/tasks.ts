import type { InputRequest, ToolOutcome } from './types.js';

/** The extension of 2026-07-28 (SEP-2663) by which a client says that it takes a task for an answer. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** How often clients are asked to look at a task that they are not told of, in milliseconds. */
export const TASK_POLL_MS = 1_000;

/** A task in neither wire's words. Times are milliseconds since the Unix epoch. */
export interface TaskState {
  readonly id: string;
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly statusMessage?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Null: kept without a limit of its own. */
  readonly ttlMs: number | null;
  /** What waits for an answer, by keys that are not used again. */
  readonly questions?: Readonly<Record<string, InputRequest>>;
  /** `completed` with it says that the tool has run, whether or not it failed. */
  readonly outcome?: ToolOutcome;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}
