import { cookies } from 'next/headers';
import type { NextRequest } from 'next/server';
import { adminOrigin, apiUrl, sessionCookieName } from '@/lib/env';
import { relay } from '@/lib/relay/relay';
import { cookieAttributes } from '@/lib/relay/session';

export const dynamic = 'force-dynamic';

async function handle(request: NextRequest, context: { params: Promise<{ path: string[] }> }): Promise<Response> {
  const jar = await cookies();
  const token = jar.get(sessionCookieName())?.value;
  const { path } = await context.params;
  const answer = await relay(request, path, { apiUrl: apiUrl(), adminOrigin: adminOrigin(), token });
  if (answer.status === 401 && token) jar.set(sessionCookieName(), '', { ...cookieAttributes(), maxAge: 0 });
  return answer;
}

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT };
