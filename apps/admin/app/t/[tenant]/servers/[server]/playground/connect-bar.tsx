'use client';
import { LoaderCircle, Plug, Unplug } from 'lucide-react';
import type { inferParserType, SetValues } from 'nuqs';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { CheckField, Select } from '@/components/ui/input';
import { Segmented } from '@/components/ui/segmented';
import { t } from '@/strings';
import { capabilityNames, eras } from './_client/connection';
import type { Status } from './_client/use-connection';
import { levels, type urlKeys } from './url';

const text = t.playground;

interface ConnectBarProps {
  url: inferParserType<typeof urlKeys>;
  setUrl: SetValues<typeof urlKeys>;
  status: Status;
  onConnect: () => void;
  onDisconnect: () => void;
}

/** Era, what the client declares, log level; fixed while the connection stands. */
export function ConnectBar({ url, setUrl, status, onConnect, onDisconnect }: ConnectBarProps) {
  const off = status.is === 'off';
  return (
    <section
      aria-label={text.connect}
      className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 rounded-lg border bg-surface p-4"
    >
      <fieldset disabled={!off} className="flex min-w-0 flex-wrap items-start gap-x-6 gap-y-3">
        <legend className="sr-only">{text.connect}</legend>
        <div className="flex flex-col gap-1">
          <span className="font-medium text-sm">{text.era}</span>
          <Segmented
            label={text.era}
            value={url.era}
            onChange={(era) => setUrl({ era })}
            options={eras.map((value) => ({ value, label: text.eras[value] }))}
          />
        </div>
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 font-medium text-sm">{text.capabilities}</legend>
          <div className="flex min-h-8 flex-wrap items-center gap-x-4">
            {capabilityNames.map((name) => (
              <CheckField
                key={name}
                label={text.capability[name]}
                checked={url.caps.includes(name)}
                onChange={(event) =>
                  setUrl({
                    caps: capabilityNames.filter((own) =>
                      own === name ? event.target.checked : url.caps.includes(own),
                    ),
                  })
                }
              />
            ))}
          </div>
        </fieldset>
        <Field label={text.level} className="w-36">
          {(control) => (
            <Select
              {...control}
              value={url.level}
              onChange={(event) => setUrl({ level: event.target.value as (typeof levels)[number] })}
            >
              {levels.map((level) => (
                <option key={level} value={level}>
                  {level}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </fieldset>
      <div>
        {status.is === 'on' ? (
          <Button onClick={onDisconnect}>
            <Unplug /> {text.disconnect}
          </Button>
        ) : (
          <Button variant="primary" onClick={onConnect} disabled={status.is === 'connecting'}>
            {status.is === 'connecting' ? <LoaderCircle className="animate-spin" /> : <Plug />}
            {status.is === 'connecting' ? text.connecting : text.connect}
          </Button>
        )}
      </div>
    </section>
  );
}
