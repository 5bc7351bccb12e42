import { cookies } from 'next/headers';
import type { NextRequest } from 'next/server';
import { adminOrigin, apiUrl, sessionCookieName } from '@/lib/env';
import { relay } from '@/lib/relay/relay';

export const dynamic = 'force-dynamic';

/** The live stream of a tab: what the API sends, as it sends it. The tab closes it, or the API does. */
export async function GET(request: NextRequest): Promise<Response> {
  const token = (await cookies()).get(sessionCookieName())?.value;
  return relay(request, ['stream'], { apiUrl: apiUrl(), adminOrigin: adminOrigin(), token });
}
