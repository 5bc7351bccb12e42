'use client';
import type { HttpAuth } from '@gantry/contracts';
import { useFieldError } from '@/components/editor/error-context';
import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import { t } from '@/strings';

const text = t.tools.http;

type ClientCredentials = Extract<HttpAuth, { type: 'oauth2-client-credentials' }>;

/** Where a tool's access token comes from, and for what. */
export function ClientCredentialsFields({
  auth,
  onChange,
}: {
  auth: ClientCredentials;
  onChange: (auth: HttpAuth) => void;
}) {
  const plain = (field: 'tokenUrl' | 'clientId' | 'scope' | 'audience') => ({
    value: auth[field] ?? '',
    spellCheck: false,
    autoComplete: 'off',
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      const { value } = event.target;
      const optional = field === 'scope' || field === 'audience';
      onChange({ ...auth, [field]: value === '' && optional ? undefined : value });
    },
  });
  const urlError = useFieldError('/http/auth/tokenUrl');
  return (
    <>
      <Field label={text.tokenUrl} pointer="/http/auth/tokenUrl" hint={text.tokenUrlHint} error={urlError}>
        {(control) => <Input {...control} {...plain('tokenUrl')} placeholder="https://auth.example.com/oauth/token" />}
      </Field>
      <Field label={text.clientId} pointer="/http/auth/clientId" error={useFieldError('/http/auth/clientId')}>
        {(control) => <Input {...control} {...plain('clientId')} />}
      </Field>
      <Field label={text.scope} optional>
        {(control) => <Input {...control} {...plain('scope')} placeholder="orders.read orders.write" />}
      </Field>
      <Field label={text.audience} optional>
        {(control) => <Input {...control} {...plain('audience')} />}
      </Field>
      <Field label={text.credentials}>
        {(control) => (
          <Select
            {...control}
            value={auth.credentials ?? 'header'}
            onChange={(event) => onChange({ ...auth, credentials: event.target.value === 'body' ? 'body' : undefined })}
          >
            <option value="header">{text.credentialsIn.header}</option>
            <option value="body">{text.credentialsIn.body}</option>
          </Select>
        )}
      </Field>
    </>
  );
}
