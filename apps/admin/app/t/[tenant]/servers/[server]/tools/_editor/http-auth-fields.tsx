'use client';
import type { HttpAuth } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Section } from '@/components/editor/section';
import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import { secretsQuery } from '@/data/secrets/queries';
import { may, tenantQuery } from '@/data/tenants/queries';
import { t } from '@/strings';
import { ClientCredentialsFields } from './client-credentials-fields';

const text = t.tools.http;
const types = ['bearer', 'basic', 'header', 'query', 'oauth2-client-credentials'] as const;

const OAUTH = 'oauth2-client-credentials';

interface HttpAuthFieldsProps {
  auth: HttpAuth | undefined;
  tenant: string;
  onChange: (auth: HttpAuth | undefined) => void;
  error?: string;
}

export function HttpAuthFields({ auth, tenant, onChange, error }: HttpAuthFieldsProps) {
  const mayList = may(useQuery(tenantQuery(tenant)).data, 'secrets:read');
  const secrets = useQuery({ ...secretsQuery(tenant), enabled: mayList }).data?.items;
  const listId = useId();
  const known = !auth?.secret || !secrets || secrets.some((secret) => secret.name === auth.secret);
  return (
    <Section title={text.auth}>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={text.auth} error={error}>
          {(control) => (
            <Select
              {...control}
              value={auth?.type ?? ''}
              onChange={(event) => onChange(withType(auth, event.target.value))}
            >
              <option value="">{text.authNone}</option>
              {types.map((type) => (
                <option key={type} value={type}>
                  {text.authTypes[type]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {auth && (
          <Field
            label={auth.type === OAUTH ? text.clientSecret : text.secret}
            hint={known ? text.secretHint : text.secretMissing}
          >
            {(control) => (
              <>
                <Input
                  {...control}
                  className="font-mono"
                  list={listId}
                  value={auth.secret}
                  spellCheck={false}
                  autoComplete="off"
                  placeholder="API_TOKEN"
                  onChange={(event) => onChange({ ...auth, secret: event.target.value.toUpperCase() })}
                />
                <datalist id={listId}>
                  {secrets?.map((secret) => (
                    <option key={secret.name} value={secret.name} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
        )}
        {auth?.type === 'basic' && (
          <Field label={text.username} hint={text.usernameHint} optional>
            {(control) => (
              <Input
                {...control}
                value={auth.username ?? ''}
                autoComplete="off"
                onChange={(event) => onChange({ ...auth, username: event.target.value || undefined })}
              />
            )}
          </Field>
        )}
        {auth?.type === OAUTH && <ClientCredentialsFields auth={auth} onChange={onChange} />}
        {(auth?.type === 'header' || auth?.type === 'query') && (
          <Field label={text.authName[auth.type]}>
            {(control) => (
              <Input
                {...control}
                className="font-mono"
                value={auth.name}
                autoComplete="off"
                onChange={(event) => onChange({ ...auth, name: event.target.value })}
              />
            )}
          </Field>
        )}
      </div>
    </Section>
  );
}

function withType(auth: HttpAuth | undefined, type: string): HttpAuth | undefined {
  const secret = auth?.secret ?? '';
  if (type === 'bearer' || type === 'basic') return { type, secret };
  if (type === 'header') return { type, name: 'X-Api-Key', secret };
  if (type === 'query') return { type, name: 'api_key', secret };
  if (type === OAUTH) return { type, tokenUrl: '', clientId: '', secret };
  return undefined;
}
