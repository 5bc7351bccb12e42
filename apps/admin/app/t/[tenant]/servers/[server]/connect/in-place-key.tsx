'use client';
import { useState } from 'react';
import { expiresIn } from '@/components/keys/key-model';
import { KeyOnce, useLeaveWarning } from '@/components/keys/key-once';
import { ProblemCallout } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { CheckField } from '@/components/ui/input';
import { useCreateKey } from '@/data/keys/mutations';
import { t } from '@/strings';

const text = t.connect;

/** Makes a key for this one server and shows it once, apart from the snippets. */
export function InPlaceKey({ tenant, server, mayMake }: { tenant: string; server: string; mayMake: boolean }) {
  const create = useCreateKey(tenant);
  const [stored, setStored] = useState(false);
  useLeaveWarning(create.data !== undefined && !stored);
  const make = () =>
    create.mutate({
      name: `${server} client`,
      scopes: ['mcp:call'],
      servers: [server],
      expiresAt: expiresIn(90, Date.now()),
    });
  return (
    <section className="flex flex-col gap-3 border-t pt-5">
      <header>
        <h2 className="font-semibold text-base">{text.keyTitle}</h2>
        <p className="text-muted text-sm">{text.keyText}</p>
      </header>
      {create.error && <ProblemCallout error={create.error} title={text.keyFailed} />}
      {create.data && !stored ? (
        <Callout tone="info" role="status" title={t.access.keys.once.text}>
          <div className="mt-1 flex flex-col gap-3">
            <KeyOnce value={create.data.key} name={create.data.name} />
            <p className="text-xs">
              {text.exportHint} <code>read -rs GANTRY_KEY &amp;&amp; export GANTRY_KEY</code>
            </p>
            <CheckField
              label={t.access.keys.once.stored}
              checked={stored}
              onChange={(event) => {
                setStored(event.target.checked);
                create.reset();
              }}
            />
          </div>
        </Callout>
      ) : mayMake ? (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            onClick={() => {
              setStored(false);
              make();
            }}
            disabled={create.isPending}
          >
            {create.isPending ? text.makingKey : text.makeKey}
          </Button>
          <p className="text-muted text-xs">{text.makeKeyHint(server)}</p>
        </div>
      ) : (
        <p className="text-muted text-sm">{text.noKeys}</p>
      )}
    </section>
  );
}
