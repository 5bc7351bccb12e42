import { ApiError, readProblem, unreachableProblem } from '@/lib/api/problem';

export interface Answer<T> {
  data: T;
  /** Version of what was read, for `If-Match` on the write that follows. */
  etag?: string;
}

interface RequestOptions {
  body?: unknown;
  /** JSON text to send as it stands, so that big numbers keep their digits. */
  rawBody?: string;
  etag?: string;
  accept?: string;
  signal?: AbortSignal;
}

/**
 * Sends a call through the console's own origin, where the session cookie becomes a bearer token.
 * @throws ApiError when the answer is not 2xx or none comes.
 */
export async function sendRequest(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const headers = new Headers({ accept: options.accept ?? 'application/json' });
  const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (options.etag) headers.set('if-match', options.etag);
  let response: Response;
  try {
    response = await fetch(path, { method, headers, body, signal: options.signal, cache: 'no-store' });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError(unreachableProblem());
  }
  if (response.ok) return response;
  const problem = await readProblem(response);
  if (response.status === 401) leaveForSignIn();
  throw new ApiError(problem);
}

/** As `sendRequest`, with the JSON of the answer. A 204 has `undefined` data. */
export async function apiRequest<T>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
  const response = await sendRequest(method, path, options);
  const etag = response.headers.get('etag') ?? undefined;
  const data = response.status === 204 ? undefined : await response.json();
  return { data: data as T, etag };
}

/** Goes to the sign-in, which leads back here. */
export function leaveForSignIn(): void {
  if (window.location.pathname === '/login' || window.location.pathname === '/setup') return;
  const next = window.location.pathname + window.location.search;
  window.location.assign(`/login?expired=1&next=${encodeURIComponent(next)}`);
}
