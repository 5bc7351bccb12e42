'use client';
import { type FormEvent, useState } from 'react';
import { ProblemCallout } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { PasswordInput } from '@/components/ui/password-input';
import { signIn } from '@/data/auth/mutations';
import { ApiError, problemOf } from '@/lib/api/problem';
import { t } from '@/strings';

export function LoginForm({ next, expired }: { next: string; expired: boolean }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await signIn({ email, password });
      // A full load: the new cookie reaches every server component.
      window.location.assign(next);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <header>
        <h1 className="font-semibold text-xl">{t.auth.signIn}</h1>
        <p className="text-muted text-sm">{t.auth.signInHint}</p>
      </header>
      {expired && !error && <Callout tone="info" title={t.auth.expired} />}
      {error !== undefined && <SignInError error={error} />}
      <Field label={t.auth.email}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={(e) => setEmail(e.target.value)}
          />
        )}
      </Field>
      <Field label={t.auth.password}>
        {(control) => (
          <PasswordInput
            {...control}
            autoComplete="current-password"
            required
            value={password}
            onChange={(e) => setPassword(e.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" disabled={busy || !email || !password}>
        {busy ? t.auth.signingIn : t.auth.signIn}
      </Button>
    </form>
  );
}

function SignInError({ error }: { error: unknown }) {
  const problem = problemOf(error);
  if (error instanceof ApiError && (problem.code === 'locked_out' || problem.status === 429)) {
    return (
      <Callout tone="warn" role="alert" title={t.auth.locked}>
        {problem.detail ?? t.auth.lockedHint(undefined)}
      </Callout>
    );
  }
  if (error instanceof ApiError && problem.status === 401) {
    return (
      <Callout tone="danger" role="alert" title={t.auth.wrong}>
        {t.auth.wrongHint}
      </Callout>
    );
  }
  return <ProblemCallout error={error} title={t.auth.signInFailed} />;
}
