'use client';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { ProblemCallout } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { DialogContent, DialogFooter, DialogRoot } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { useCreateTenant } from '@/data/tenants/mutations';
import { problemOf } from '@/lib/api/problem';
import { proposeSlug } from '@/lib/format';
import { fieldError } from '@/lib/pointer';
import { t } from '@/strings';

const text = t.servers.tenants;

export function CreateTenant({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const router = useRouter();
  const create = useCreateTenant();
  const [name, setName] = useState('');
  const [ownSlug, setOwnSlug] = useState<string>();
  const slug = ownSlug ?? proposeSlug(name);
  const problem = create.error ? problemOf(create.error) : undefined;
  const taken = problem?.status === 409;

  async function submit(event: FormEvent) {
    event.preventDefault();
    const tenant = await create.mutateAsync({ name: name.trim(), slug }).catch(() => undefined);
    if (!tenant) return;
    router.push(`/t/${tenant.slug}`);
    router.refresh();
  }

  return (
    <DialogRoot open={open} onOpenChange={onOpenChange}>
      <DialogContent title={text.createTitle} description={text.hint} width="max-w-md">
        <form onSubmit={submit} className="flex flex-col gap-4">
          {create.error && !taken && <ProblemCallout error={create.error} title={text.failed} />}
          <Field label={text.name} error={fieldError(problem?.errors ?? [], '/name')}>
            {(control) => (
              <Input
                {...control}
                value={name}
                maxLength={256}
                autoComplete="off"
                onChange={(e) => setName(e.target.value)}
              />
            )}
          </Field>
          <Field
            label={text.slug}
            hint={text.slugHint}
            error={taken ? text.slugTaken(`${slug.slice(0, 60)}-2`) : fieldError(problem?.errors ?? [], '/slug')}
          >
            {(control) => (
              <Input
                {...control}
                className="font-mono"
                value={slug}
                maxLength={63}
                autoComplete="off"
                onChange={(e) => setOwnSlug(e.target.value)}
              />
            )}
          </Field>
          <DialogFooter>
            <Button onClick={() => onOpenChange(false)}>{t.common.cancel}</Button>
            <Button type="submit" variant="primary" disabled={create.isPending || !name.trim() || !slug}>
              {text.createButton}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </DialogRoot>
  );
}
