'use client';
import type { CreatedKey, Scope } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { expiresIn, expiryDays, scopes } from '@/components/keys/key-model';
import { ProblemCallout } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { DialogContent, DialogFooter, DialogRoot } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { CheckField, Input, Select } from '@/components/ui/input';
import { useCreateKey } from '@/data/keys/mutations';
import { serversQuery } from '@/data/servers/queries';
import { problemOf } from '@/lib/api/problem';
import { fieldError } from '@/lib/pointer';
import { t } from '@/strings';

const text = t.access.keys;

interface CreateKeyProps {
  tenant: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated: (key: CreatedKey) => void;
}

/** Narrow by default: calls only, 90 days. */
export function CreateKey(props: CreateKeyProps) {
  return (
    <DialogRoot open={props.open} onOpenChange={props.onOpenChange}>
      {props.open && (
        <DialogContent title={text.createTitle} description={text.hint}>
          <CreateKeyForm {...props} />
        </DialogContent>
      )}
    </DialogRoot>
  );
}

function CreateKeyForm({ tenant, onOpenChange, onCreated }: CreateKeyProps) {
  const create = useCreateKey(tenant);
  const servers = useQuery(serversQuery(tenant)).data?.items ?? [];
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<Scope[]>(['mcp:call']);
  const [only, setOnly] = useState<string[]>();
  const [days, setDays] = useState<number | undefined>(90);
  const errors = create.error ? (problemOf(create.error).errors ?? []) : [];
  const toggle = <T,>(list: T[], entry: T, on: boolean) =>
    on ? [...list, entry] : list.filter((old) => old !== entry);
  const complete = name.trim() !== '' && chosen.length > 0 && (only === undefined || only.length > 0);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const form = { name: name.trim(), scopes: chosen, servers: only ?? [], expiresAt: expiresIn(days, Date.now()) };
    const key = await create.mutateAsync(form).catch(() => undefined);
    if (!key) return;
    onOpenChange(false);
    onCreated(key);
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {create.error && <ProblemCallout error={create.error} title={text.failed} />}
      <Field label={text.name} hint={text.nameHint} error={fieldError(errors, '/name')}>
        {(control) => (
          <Input
            {...control}
            value={name}
            maxLength={256}
            placeholder={text.nameExample}
            autoComplete="off"
            onChange={(e) => setName(e.target.value)}
          />
        )}
      </Field>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 font-medium text-sm">{text.scopes}</legend>
        {scopes.map((scope) => (
          <CheckField
            key={scope}
            label={
              <>
                {text.scope[scope][0]} <code className="text-muted text-xs">{scope}</code>
              </>
            }
            hint={text.scope[scope][1]}
            checked={chosen.includes(scope)}
            onChange={(event) => setChosen(toggle(chosen, scope, event.target.checked))}
          />
        ))}
      </fieldset>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 font-medium text-sm">{text.servers}</legend>
        <CheckField
          label={text.allServers}
          hint={text.allServersHint}
          checked={only === undefined}
          onChange={(event) => setOnly(event.target.checked ? undefined : [])}
        />
        {only !== undefined && (
          <div className="ml-6 flex max-h-36 flex-col gap-1 overflow-y-auto">
            {servers.map((server) => (
              <CheckField
                key={server.slug}
                label={server.name}
                checked={only.includes(server.slug)}
                onChange={(event) => setOnly(toggle(only, server.slug, event.target.checked))}
              />
            ))}
          </div>
        )}
      </fieldset>
      <Field label={text.expiry} className="max-w-52" error={fieldError(errors, '/expiresAt')}>
        {(control) => (
          <Select
            {...control}
            value={days ?? ''}
            onChange={(event) => setDays(event.target.value === '' ? undefined : Number(event.target.value))}
          >
            {expiryDays.map((value) => (
              <option key={value} value={value}>
                {text.expiryIn(value)}
              </option>
            ))}
            <option value="">{text.expiryNever}</option>
          </Select>
        )}
      </Field>
      <DialogFooter>
        <Button onClick={() => onOpenChange(false)}>{t.common.cancel}</Button>
        <Button type="submit" variant="primary" disabled={!complete || create.isPending}>
          {text.createButton}
        </Button>
      </DialogFooter>
    </form>
  );
}
