import type { SignedIn } from '@gantry/contracts';
import { NextResponse } from 'next/server';
import { readProblem } from '@/lib/api/problem';
import { adminOrigin, apiUrl, cookiesAreSecure, sessionCookieName } from '@/lib/env';
import { isSameOrigin } from '@/lib/relay/origin';
import { problemResponse } from '@/lib/relay/relay';

/** Largest body of a sign-in or set-up form. */
const maxBodyChars = 16_384;

/** Reads the small JSON body of a same-origin form, or gives the refusal. */
export async function readForm(request: Request): Promise<{ text: string } | { refusal: Response }> {
  if (!isSameOrigin(request.headers, adminOrigin())) {
    return { refusal: problemResponse(403, 'origin_not_allowed', 'Only pages of this console may do that') };
  }
  const text = await request.text();
  if (text.length > maxBodyChars) return { refusal: problemResponse(413, 'payload_too_large', 'Too large') };
  return { text };
}

export function postToApi(request: Request, path: string, text: string): Promise<Response> {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json' });
  for (const name of ['user-agent', 'x-forwarded-for']) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return fetch(`${apiUrl()}/api/v1/${path}`, {
    method: 'POST',
    headers,
    body: text,
    cache: 'no-store',
    signal: request.signal,
  });
}

/** The API's refusal as the page may see it. */
export async function passProblem(answer: Response): Promise<Response> {
  const problem = await readProblem(answer);
  const headers = new Headers({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' });
  const retryAfter = answer.headers.get('retry-after');
  if (retryAfter) headers.set('retry-after', retryAfter);
  return new Response(JSON.stringify(problem), { status: answer.status, headers });
}

export function unreachable(): Response {
  return problemResponse(
    503,
    'unavailable',
    'The API does not answer',
    'The console is up, but the API behind it is not.',
  );
}

/** Keeps the session where no script can read it. */
export function signedIn(session: SignedIn): NextResponse {
  const response = new NextResponse(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  response.cookies.set(sessionCookieName(), session.token, {
    ...cookieAttributes(),
    expires: new Date(session.expiresAt),
  });
  return response;
}

export function cookieAttributes() {
  return { httpOnly: true, sameSite: 'lax', secure: cookiesAreSecure(), path: '/' } as const;
}
