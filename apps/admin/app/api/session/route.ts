import type { SignedIn } from '@gantry/contracts';
import { cookies } from 'next/headers';
import { NextResponse } from 'next/server';
import { adminOrigin, apiUrl, sessionCookieName } from '@/lib/env';
import { isSameOrigin } from '@/lib/relay/origin';
import { problemResponse } from '@/lib/relay/relay';
import { cookieAttributes, passProblem, postToApi, readForm, signedIn, unreachable } from '@/lib/relay/session';

export const dynamic = 'force-dynamic';

/** Signs in: the token of the API's answer goes into the cookie and nowhere else. */
export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  if ('refusal' in form) return form.refusal;
  try {
    const answer = await postToApi(request, 'auth/sign-in', form.text);
    return answer.ok ? signedIn((await answer.json()) as SignedIn) : await passProblem(answer);
  } catch {
    return unreachable();
  }
}

/** Signs out: ends the session at the API, then forgets it here even if the API is away. */
export async function DELETE(request: Request): Promise<Response> {
  if (!isSameOrigin(request.headers, adminOrigin())) {
    return problemResponse(403, 'origin_not_allowed', 'Only pages of this console may do that');
  }
  const token = (await cookies()).get(sessionCookieName())?.value;
  if (token) {
    await fetch(`${apiUrl()}/api/v1/auth/sign-out`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      cache: 'no-store',
      signal: AbortSignal.timeout(5_000),
    }).catch(() => undefined);
  }
  const response = new NextResponse(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  response.cookies.set(sessionCookieName(), '', { ...cookieAttributes(), maxAge: 0 });
  return response;
}
