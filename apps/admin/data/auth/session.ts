import type { Me } from '@gantry/contracts';
import { cache } from 'react';
import { redirectToSignIn } from '@/lib/api/expired';
import { type Result, serverGet } from '@/lib/api/server';

/** Who is signed in, asked once a request. */
export const getMe = cache((): Promise<Result<Me>> => serverGet<Me>('/api/v1/me'));

/** Sends a reader whose session has ended to the sign-in; other failures are the caller's to show. */
export async function requireMe(): Promise<Result<Me>> {
  const me = await getMe();
  if (!me.ok && me.problem.status === 401) await redirectToSignIn();
  return me;
}
