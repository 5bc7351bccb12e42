'use client';
import { bodyTypes, type HttpRunnerSpec } from '@gantry/contracts';
import { useFieldError } from '@/components/editor/error-context';
import { Section } from '@/components/editor/section';
import { JsonEditor } from '@/components/schema-form/json-editor';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/input';
import { t } from '@/strings';

const text = t.tools.http;

/** Where the body comes from; `json` stands for a value of the tool's own. */
export type BodyMode = 'auto' | 'none' | 'json';

/** What an HTTP tool sends, and in which form. */
export function HttpBodyFields({
  http,
  body,
  set,
}: {
  http: HttpRunnerSpec;
  body: BodyMode;
  set: (field: string, value: unknown) => void;
}) {
  const bodyless = http.method === undefined || http.method === 'GET' || http.method === 'HEAD' || body === 'none';
  const typeError = useFieldError('/http/bodyType');
  return (
    <Section title={text.body}>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={text.body} error={useFieldError('/http/body')}>
          {(control) => (
            <Select
              {...control}
              value={body}
              onChange={(event) =>
                set('body', { auto: undefined, none: 'none', json: {} }[event.target.value as BodyMode])
              }
            >
              <option value="auto">{text.bodies.auto}</option>
              <option value="none">{text.bodies.none}</option>
              <option value="json">{text.bodies.json}</option>
            </Select>
          )}
        </Field>
        {(!bodyless || http.bodyType !== undefined) && (
          <Field label={text.bodyType} pointer="/http/bodyType" hint={text.bodyTypeHint} error={typeError}>
            {(control) => (
              <Select
                {...control}
                value={http.bodyType ?? ''}
                onChange={(event) => set('bodyType', event.target.value === '' ? undefined : event.target.value)}
              >
                <option value="">{text.bodyTypes.byHeader}</option>
                {bodyTypes.map((type) => (
                  <option key={type} value={type}>
                    {text.bodyTypes[type]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
      </div>
      {body === 'json' && (
        <div>
          <p className="mb-1 text-muted text-xs">{text.bodyJsonHint}</p>
          {http.bodyType === 'multipart' && <p className="mb-1 text-muted text-xs">{text.bodyFileHint}</p>}
          <JsonEditor label={text.bodyJson} value={http.body} rows={8} onChange={(value) => set('body', value)} />
        </div>
      )}
    </Section>
  );
}
