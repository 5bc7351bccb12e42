'use client';
import { type FormEvent, useState } from 'react';
import { ProblemCallout } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { PasswordInput } from '@/components/ui/password-input';
import { setUp } from '@/data/auth/mutations';
import { problemOf } from '@/lib/api/problem';
import { fieldError } from '@/lib/pointer';
import { t } from '@/strings';

export function SetupForm() {
  const [form, setForm] = useState({ adminToken: '', email: '', name: '', password: '' });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const errors = error === undefined ? [] : (problemOf(error).errors ?? []);
  const set = (field: keyof typeof form) => (event: { target: { value: string } }) =>
    setForm({ ...form, [field]: event.target.value });

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await setUp({ ...form, adminToken: form.adminToken.trim() });
      window.location.assign('/');
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  }

  const complete = Object.values(form).every(Boolean);
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <header>
        <h1 className="font-semibold text-xl">{t.auth.setupTitle}</h1>
        <p className="text-muted text-sm">{t.auth.setupHint}</p>
      </header>
      {error !== undefined && <ProblemCallout error={error} title={t.auth.setupFailed} />}
      <Field label={t.auth.adminToken} hint={t.auth.adminTokenHint} error={fieldError(errors, '/adminToken')}>
        {(control) => (
          <PasswordInput {...control} autoComplete="off" value={form.adminToken} onChange={set('adminToken')} />
        )}
      </Field>
      <Field label={t.auth.name} error={fieldError(errors, '/name')}>
        {(control) => <Input {...control} autoComplete="name" value={form.name} onChange={set('name')} />}
      </Field>
      <Field label={t.auth.email} error={fieldError(errors, '/email')}>
        {(control) => (
          <Input {...control} type="email" autoComplete="username" value={form.email} onChange={set('email')} />
        )}
      </Field>
      <Field label={t.auth.password} hint={t.auth.passwordHint} error={fieldError(errors, '/password')}>
        {(control) => (
          <PasswordInput {...control} autoComplete="new-password" value={form.password} onChange={set('password')} />
        )}
      </Field>
      <Button type="submit" variant="primary" disabled={busy || !complete}>
        {busy ? t.auth.creating : t.auth.createOperator}
      </Button>
    </form>
  );
}
