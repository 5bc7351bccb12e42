import type { Problem } from '@gantry/contracts';

/** A refused or failed call of the management API, as its problem document tells it. */
export class ApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.name = 'ApiError';
    this.problem = problem;
  }
}

/** A problem of our own, for what never reached the API. */
export function localProblem(status: number, code: string, title: string, detail?: string): Problem {
  return { type: 'about:blank', title, status, code, ...(detail ? { detail } : {}) };
}

export const unreachableProblem = () =>
  localProblem(503, 'unavailable', 'The API does not answer', 'The console is up, but the API behind it is not.');

/** Reads the problem of a response that is not ok; never throws. */
export async function readProblem(response: Response): Promise<Problem> {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const text = await response.text().catch(() => '');
  try {
    const parsed = JSON.parse(text) as Partial<Problem>;
    if (parsed && typeof parsed.code === 'string') {
      const title = parsed.title ?? `HTTP ${response.status}`;
      return {
        ...parsed,
        type: parsed.type ?? 'about:blank',
        title,
        code: parsed.code,
        status: response.status,
        requestId: parsed.requestId ?? requestId,
      };
    }
  } catch {
    // Not JSON: something between us and the API answered; the status is all there is to tell.
  }
  return {
    ...localProblem(response.status, 'internal', `HTTP ${response.status} ${response.statusText}`.trim()),
    requestId,
  };
}

/** The problem inside anything thrown by a query or mutation. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  return localProblem(
    0,
    'internal',
    'Something went wrong in the console',
    error instanceof Error ? error.message : undefined,
  );
}
