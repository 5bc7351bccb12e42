import type { Me } from '@gantry/contracts';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { type Result, serverGet } from '@/lib/api/server';

/** Who is signed in, asked once a request. */
export const getMe = cache((): Promise<Result<Me>> => serverGet<Me>('/api/v1/me'));

/** Sends a reader whose session has ended to the sign-in; other failures are the caller's to show. */
export async function requireMe(): Promise<Result<Me>> {
  const me = await getMe();
  if (!me.ok && me.problem.status === 401) redirect('/login?expired=1');
  return me;
}
