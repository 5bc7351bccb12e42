import type { SignedIn } from '@gantry/contracts';
import { passProblem, postToApi, readForm, signedIn, unreachable } from '@/lib/relay/session';

export const dynamic = 'force-dynamic';

/** Creates the first operator and signs them in. */
export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  if ('refusal' in form) return form.refusal;
  try {
    const created = await postToApi(request, 'setup', form.text);
    if (!created.ok) return await passProblem(created);
    const session = (await created.json().catch(() => ({}))) as Partial<SignedIn>;
    if (session.token && session.expiresAt) return signedIn({ token: session.token, expiresAt: session.expiresAt });
    const { email, password } = JSON.parse(form.text) as { email: string; password: string };
    const answer = await postToApi(request, 'auth/sign-in', JSON.stringify({ email, password }));
    return answer.ok ? signedIn((await answer.json()) as SignedIn) : await passProblem(answer);
  } catch {
    return unreachable();
  }
}
