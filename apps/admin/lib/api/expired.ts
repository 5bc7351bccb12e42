import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { pathHeader } from '@/lib/path-header';

/** Leaves for the sign-in, which leads back here. */
export async function redirectToSignIn(): Promise<never> {
  const path = (await headers()).get(pathHeader);
  redirect(path && path !== '/' ? `/login?expired=1&next=${encodeURIComponent(path)}` : '/login?expired=1');
}
