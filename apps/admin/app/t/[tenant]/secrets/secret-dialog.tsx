'use client';
import type { Secret } from '@gantry/contracts';
import { type FormEvent, useState } from 'react';
import { ProblemCallout } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { DialogContent, DialogFooter, DialogRoot } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { PasswordInput } from '@/components/ui/password-input';
import { toast } from '@/components/ui/toast';
import { usePutSecret } from '@/data/secrets/mutations';
import { problemOf } from '@/lib/api/problem';
import { errorsUnder, fieldError } from '@/lib/pointer';
import { t } from '@/strings';

const text = t.access.secrets;

/** Stores a new secret, or replaces the value of one that is there. The dialog itself is the T1 step of a replace. */
export function SecretDialog({ tenant, secret, onClose }: { tenant: string; secret?: Secret; onClose: () => void }) {
  const put = usePutSecret(tenant);
  const [name, setName] = useState(secret?.name ?? '');
  const [value, setValue] = useState('');
  const [hosts, setHosts] = useState(secret?.hosts.join('\n') ?? '');
  const list = hosts.split(/[\s,]+/).filter(Boolean);
  const errors = put.error ? (problemOf(put.error).errors ?? []) : [];
  const hostErrors = errorsUnder(errors, '/hosts').map((entry) => entry.message);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const done = await put.mutateAsync({ name, value, hosts: list }).catch(() => undefined);
    if (!done) return;
    toast({ text: text.saved(name) });
    onClose();
  }

  return (
    <DialogRoot open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={secret ? text.replaceTitle(secret.name) : text.createTitle}
        description={secret ? text.replaceHint : text.hint}
      >
        <form onSubmit={submit} className="flex flex-col gap-4">
          {put.error && <ProblemCallout error={put.error} title={text.failed} />}
          {!secret && (
            <Field label={text.name} hint={text.nameHint} error={fieldError(errors, '/name')}>
              {(control) => (
                <Input
                  {...control}
                  className="font-mono"
                  value={name}
                  maxLength={64}
                  placeholder="ORDERS_TOKEN"
                  autoComplete="off"
                  spellCheck={false}
                  onChange={(e) => setName(e.target.value.toUpperCase().replace(/[^A-Z0-9_]/g, '_'))}
                />
              )}
            </Field>
          )}
          <Field label={text.value} hint={text.valueHint} error={fieldError(errors, '/value')}>
            {(control) => (
              <PasswordInput {...control} autoComplete="off" value={value} onChange={(e) => setValue(e.target.value)} />
            )}
          </Field>
          <Field
            label={text.hosts}
            hint={text.hostsHint}
            error={hostErrors.length > 0 ? hostErrors.join('; ') : undefined}
          >
            {(control) => (
              <Textarea
                {...control}
                rows={2}
                className="font-mono"
                placeholder="api.example.com"
                value={hosts}
                spellCheck={false}
                onChange={(e) => setHosts(e.target.value)}
              />
            )}
          </Field>
          <DialogFooter>
            <Button onClick={onClose}>{t.common.cancel}</Button>
            <Button type="submit" variant="primary" disabled={put.isPending || !name || !value || list.length === 0}>
              {secret ? text.replace : text.save}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </DialogRoot>
  );
}
