'use client';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { PageHeader } from '@/components/page/page-header';
import { ProblemCallout } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { usePutServer } from '@/data/servers/mutations';
import { serversQuery } from '@/data/servers/queries';
import { problemOf } from '@/lib/api/problem';
import { proposeSlug } from '@/lib/format';
import { fieldError } from '@/lib/pointer';
import { t } from '@/strings';
import { freeSlug } from './free-slug';

const text = t.servers.create;
const accesses = [
  ['key', t.servers.access.key, t.servers.access.keyHint],
  ['public', t.servers.access.public, t.servers.access.publicHint],
] as const;

export function NewServerForm({ tenant }: { tenant: string }) {
  const router = useRouter();
  const servers = useQuery(serversQuery(tenant));
  const put = usePutServer(tenant);
  const [name, setName] = useState('');
  const [ownSlug, setOwnSlug] = useState<string>();
  const [access, setAccess] = useState<'key' | 'public'>('key');
  const [instructions, setInstructions] = useState('');
  const taken = new Set(servers.data?.items.map((server) => server.slug));
  const slug = ownSlug ?? (name ? freeSlug(proposeSlug(name), taken) : '');
  const errors = put.error ? (problemOf(put.error).errors ?? []) : [];
  const slugTaken = taken.has(slug) && !put.isPending && !put.isSuccess;

  async function submit(event: FormEvent) {
    event.preventDefault();
    const document = {
      name: name.trim(),
      access,
      ...(instructions.trim() ? { instructions: instructions.trim() } : {}),
    };
    const answer = await put.mutateAsync({ slug, document }).catch(() => undefined);
    if (answer) router.push(`/t/${tenant}/servers/${slug}`);
  }

  return (
    <form onSubmit={submit} className="flex max-w-xl flex-col gap-5">
      <PageHeader title={text.title} description={text.hint} />
      {put.error && <ProblemCallout error={put.error} title={text.failed} />}
      <Field label={text.name} hint={text.nameHint} error={fieldError(errors, '/name')}>
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
      <div className="flex flex-col gap-1">
        <Field
          label={text.slug}
          hint={text.slugHint}
          error={slugTaken ? text.slugTaken(slug, freeSlug(slug, taken)) : fieldError(errors, '/slug')}
        >
          {(control) => (
            <div className="flex items-stretch">
              <span className="flex items-center rounded-l-md border border-line-strong border-r-0 bg-sunken px-2 font-mono text-muted text-xs">
                /mcp/{tenant}/
              </span>
              <Input
                {...control}
                className="rounded-l-none font-mono"
                value={slug}
                maxLength={63}
                autoComplete="off"
                spellCheck={false}
                onChange={(e) => setOwnSlug(e.target.value)}
              />
            </div>
          )}
        </Field>
        {slugTaken && (
          <Button variant="link" className="self-start" onClick={() => setOwnSlug(freeSlug(slug, taken))}>
            {text.useProposal}
          </Button>
        )}
      </div>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium text-sm">{text.access}</legend>
        {accesses.map(([value, label, hint]) => (
          <label
            key={value}
            className="flex cursor-pointer items-start gap-2.5 rounded-md border px-3 py-2 text-sm has-checked:border-accent-text has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="access"
              className="mt-1 accent-accent"
              checked={access === value}
              onChange={() => setAccess(value)}
            />
            <span>
              <span className="font-medium">{label}</span>
              <span className="block text-muted text-xs">{hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field
        label={text.instructions}
        hint={text.instructionsHint}
        optional
        error={fieldError(errors, '/instructions')}
      >
        {(control) => (
          <Textarea {...control} rows={3} value={instructions} onChange={(e) => setInstructions(e.target.value)} />
        )}
      </Field>
      <div className="flex gap-2">
        <Button type="submit" variant="primary" disabled={put.isPending || !name.trim() || !slug || slugTaken}>
          {put.isPending ? text.creating : text.submit}
        </Button>
        <Button onClick={() => router.back()}>{t.common.cancel}</Button>
      </div>
    </form>
  );
}
