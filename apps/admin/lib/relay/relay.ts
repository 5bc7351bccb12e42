import { localProblem } from '@/lib/api/problem';
import { isSameOrigin } from '@/lib/relay/origin';

export interface RelaySettings {
  apiUrl: string;
  adminOrigin: string | undefined;
  /** The console session of the reader, from the HttpOnly cookie. */
  token: string | undefined;
  fetch?: typeof fetch;
}

const passedToApi = [
  'accept',
  'content-type',
  'if-match',
  'if-none-match',
  'last-event-id',
  'user-agent',
  'x-forwarded-for',
  'x-request-id',
];
const passedToPage = [
  'content-type',
  'etag',
  'x-request-id',
  'retry-after',
  'content-disposition',
  'location',
  'allow',
];
/** Answers of these hold a session token, which no page may see: handlers of their own put it into the cookie. */
const neverRelayed = new Set(['POST auth/sign-in', 'POST setup']);

export function problemResponse(status: number, code: string, title: string, detail?: string): Response {
  return new Response(JSON.stringify(localProblem(status, code, title, detail)), {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
  });
}

/**
 * Passes one request of the page on to the API: cookie → bearer token, body and answer streamed, nothing cached.
 * When the page goes away the call to the API is closed too. A 401 is left to the caller, which clears the cookie.
 */
export async function relay(request: Request, segments: string[], settings: RelaySettings): Promise<Response> {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (!reads && !isSameOrigin(request.headers, settings.adminOrigin)) {
    return problemResponse(403, 'origin_not_allowed', 'Only pages of this console may do that');
  }
  if (neverRelayed.has(`${request.method} ${segments.join('/')}`) || segments.some((s) => s === '.' || s === '..')) {
    return problemResponse(404, 'not_found', 'Not found');
  }
  const headers = new Headers({ 'accept-encoding': 'identity' });
  for (const name of passedToApi) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (settings.token) headers.set('authorization', `Bearer ${settings.token}`);
  const target = `${settings.apiUrl}/api/v1/${segments.map(encodeURIComponent).join('/')}${new URL(request.url).search}`;
  try {
    const answer = await (settings.fetch ?? fetch)(target, {
      method: request.method,
      headers,
      body: reads ? undefined : request.body,
      signal: request.signal,
      redirect: 'manual',
      cache: 'no-store',
      duplex: 'half',
    } as RequestInit);
    return new Response(answer.body, { status: answer.status, headers: answerHeaders(answer) });
  } catch {
    if (request.signal.aborted) return new Response(null, { status: 499 });
    return problemResponse(
      503,
      'unavailable',
      'The API does not answer',
      'The console is up, but the API behind it is not.',
    );
  }
}

function answerHeaders(answer: Response): Headers {
  // no-transform keeps compression, and with it buffering, away from event streams.
  const headers = new Headers({ 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' });
  for (const name of passedToPage) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}
