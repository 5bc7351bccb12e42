import type { JobEnd, JobRunEnd, JobStatus } from '@gantry/mcp-core';

const ERROR_LENGTH = 2_000;

/** What a run's end makes of the row. */
export interface StoredEnd {
  readonly status: JobStatus;
  /** In words, for lists and for whoever searches. */
  readonly error: string | undefined;
}

/** The status that an end is, and its words. A tool that ran and failed has failed its job. */
export function storedEnd(ended: JobRunEnd): StoredEnd {
  if (ended.kind === 'asks') return { status: 'input_required', error: undefined };
  if (ended.kind === 'cancelled') return { status: 'cancelled', error: undefined };
  const error = errorOf(ended.end);
  return { status: error === undefined ? 'completed' : 'failed', error };
}

export function errorOf(end: JobEnd): string | undefined {
  if ('error' in end) return storable(end.error.message);
  if (!('outcome' in end) || !end.outcome.isError) return undefined;
  const text = end.outcome.content.find(({ type }) => type === 'text');
  return storable(text !== undefined && 'text' in text ? (text.text as string) : 'The tool failed');
}

/** Text that Postgres takes, and a list can show. */
function storable(text: string): string {
  return text.slice(0, ERROR_LENGTH).replace(/[\0\p{Surrogate}]/gu, '\uFFFD');
}
