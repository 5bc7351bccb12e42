import type { Problem } from '@gantry/contracts';
import { cookies, headers } from 'next/headers';
import type { Answer } from '@/lib/api/client';
import { readProblem, unreachableProblem } from '@/lib/api/problem';
import { apiUrl, sessionCookieName } from '@/lib/env';

export type Result<T> = ({ ok: true } & Answer<T>) | { ok: false; problem: Problem };

/** How long a first view waits for the API before it shows the failure. */
const deadlineMs = 10_000;

/** GET of the API for a first view, with the reader's own session; never throws, never caches. */
export async function serverGet<T>(path: string): Promise<Result<T>> {
  const token = (await cookies()).get(sessionCookieName())?.value;
  const forwarded = (await headers()).get('x-forwarded-for');
  try {
    const response = await fetch(apiUrl() + path, {
      headers: {
        accept: 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(forwarded ? { 'x-forwarded-for': forwarded } : {}),
      },
      cache: 'no-store',
      signal: AbortSignal.timeout(deadlineMs),
    });
    if (!response.ok) return { ok: false, problem: await readProblem(response) };
    return { ok: true, data: (await response.json()) as T, etag: response.headers.get('etag') ?? undefined };
  } catch {
    return { ok: false, problem: unreachableProblem() };
  }
}
