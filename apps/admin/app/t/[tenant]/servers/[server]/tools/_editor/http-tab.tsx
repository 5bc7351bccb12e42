'use client';
import type { HttpRunnerSpec } from '@gantry/contracts';
import { useFieldError } from '@/components/editor/error-context';
import { Section } from '@/components/editor/section';
import { propertiesOf } from '@/components/schema-form/model';
import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import { placeholders } from '@/lib/tool-document';
import { t } from '@/strings';
import { HttpAuthFields } from './http-auth-fields';
import { type BodyMode, HttpBodyFields } from './http-body-fields';
import { KeyValueEditor } from './key-value-editor';
import type { ToolDraft } from './tool-draft';

const text = t.tools.http;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export function HttpTab({ draft, tenant }: { draft: ToolDraft; tenant: string }) {
  const http: HttpRunnerSpec = draft.document.http ?? { method: 'GET', url: '' };
  const set = (field: string, value: unknown) => draft.set(['http', field], value);
  const body: BodyMode =
    http.body === undefined || http.body === 'auto' ? 'auto' : http.body === 'none' ? 'none' : 'json';
  return (
    <div className="flex flex-col gap-6">
      <Section title={t.tools.editor.tab.http}>
        <div className="grid gap-3 sm:grid-cols-[120px_1fr]">
          <Field label={text.method} pointer="/http/method" error={useFieldError('/http/method')}>
            {(control) => (
              <Select {...control} value={http.method ?? 'GET'} onChange={(event) => set('method', event.target.value)}>
                {methods.map((method) => (
                  <option key={method}>{method}</option>
                ))}
              </Select>
            )}
          </Field>
          <Field label={text.url} pointer="/http/url" hint={text.urlHint} error={useFieldError('/http/url')}>
            {(control) => (
              <Input
                {...control}
                className="font-mono text-[12.5px]"
                placeholder="https://api.example.com/v1/orders/{id}"
                value={http.url}
                spellCheck={false}
                autoComplete="off"
                onChange={(event) => set('url', event.target.value)}
              />
            )}
          </Field>
        </div>
        <ArgumentMap
          http={http}
          names={propertiesOf(draft.document.inputSchema).map((property) => property.name)}
          body={body}
        />
      </Section>
      <KeyValueEditor
        title={text.query}
        hint={text.mapHint}
        add={text.addQuery}
        value={http.query}
        onChange={(value) => set('query', value)}
        error={useFieldError('/http/query')}
      />
      <KeyValueEditor
        title={text.headers}
        hint={text.mapHint}
        add={text.addHeader}
        value={http.headers}
        onChange={(value) => set('headers', value)}
        error={useFieldError('/http/headers')}
      />
      <HttpAuthFields
        auth={http.auth}
        tenant={tenant}
        onChange={(auth) => set('auth', auth)}
        error={useFieldError('/http/auth')}
      />
      <HttpBodyFields http={http} body={body} set={set} />
      <Section title={text.answer}>
        <Field
          label={text.stream}
          pointer="/http/stream"
          hint={text.streamHint}
          className="max-w-72"
          error={useFieldError('/http/stream')}
        >
          {(control) => (
            <Select
              {...control}
              value={http.stream ?? 'none'}
              onChange={(event) => set('stream', event.target.value === 'none' ? undefined : event.target.value)}
            >
              <option value="none">{text.streams.none}</option>
              <option value="sse">{text.streams.sse}</option>
              <option value="ndjson">{text.streams.ndjson}</option>
            </Select>
          )}
        </Field>
      </Section>
    </div>
  );
}

/** Where each argument goes, as the mapping now stands. */
function ArgumentMap({ http, names, body }: { http: HttpRunnerSpec; names: string[]; body: 'auto' | 'none' | 'json' }) {
  if (names.length === 0) return <p className="text-muted text-xs">{text.noArguments}</p>;
  const inUrl = new Set(placeholders(http.url));
  const mapped = new Set(
    placeholders(JSON.stringify([http.query ?? {}, http.headers ?? {}, body === 'json' ? http.body : ''])),
  );
  const bodyless = ['GET', 'HEAD', 'DELETE'].includes(http.method ?? 'GET');
  const rest = bodyless ? text.restQuery : body === 'auto' ? text.restBody : text.restNowhere;
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 text-xs">
      {names.map((name) => (
        <div key={name} className="flex gap-1.5">
          <dt className="font-mono">{name}</dt>
          <dd className="text-muted">{inUrl.has(name) ? text.usedInUrl : mapped.has(name) ? text.mapped : rest}</dd>
        </div>
      ))}
    </dl>
  );
}
