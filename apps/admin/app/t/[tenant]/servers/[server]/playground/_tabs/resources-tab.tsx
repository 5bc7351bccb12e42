'use client';
import type { TryResourceAnswer } from '@gantry/contracts';
import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import { useQueryStates } from 'nuqs';
import { useCallback, useState } from 'react';
import { TextFields } from '@/components/arguments/text-fields';
import { ProblemView } from '@/components/page/problem-callout';
import { ResourceResultView } from '@/components/run/resource-result';
import { RunPanel } from '@/components/run/run-panel';
import { RunView } from '@/components/run/run-view';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import { expandTemplate, templateVariables } from '@/lib/uri-template';
import { t } from '@/strings';
import type { Connection } from '../_client/connection';
import { rpcProblem } from '../_client/rpc-problem';
import { useMcpRun } from '../_client/use-mcp-run';
import { OpenQuestions } from '../open-questions';
import { urlKeys } from '../url';
import { ListingPanel } from './listing-panel';
import type { TabProps } from './tools-tab';
import { useListing } from './use-listing';
import { useSuggestions } from './use-suggestions';

const text = t.playground;
interface Lists {
  resources: Resource[];
  templates: ResourceTemplateType[];
}

export function ResourcesTab({ connection, playground }: TabProps) {
  const { client } = connection;
  const list = useCallback(async (): Promise<Lists[]> => {
    const [{ resources }, { resourceTemplates }] = await Promise.all([
      client.listResources(undefined, { cacheMode: 'refresh' }),
      client.listResourceTemplates(undefined, { cacheMode: 'refresh' }),
    ]);
    return [{ resources, templates: resourceTemplates }];
  }, [client]);
  const { items, problem, read } = useListing(list, 'notifications/resources/list_changed', playground.listen);
  const both = items?.[0];
  return (
    <ListingPanel
      what={text.tabs.resources.toLowerCase()}
      offered={client.getServerCapabilities()?.resources !== undefined}
      items={both && both.resources.length + both.templates.length > 0 ? items : both && []}
      problem={problem}
      onRead={read}
    >
      {([lists]) => <ResourceRead lists={lists!} connection={connection} playground={playground} />}
    </ListingPanel>
  );
}

function ResourceRead({ lists, connection, playground }: TabProps & { lists: Lists }) {
  const [url, setUrl] = useQueryStates(urlKeys);
  const { state, run, cancel } = useMcpRun<TryResourceAnswer>(playground.listen);
  const [template, setTemplate] = useState<ResourceTemplateType>();
  const uri = url.uri ?? lists.resources[0]?.uri ?? '';
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={text.resource}>
          {(control) => (
            <Select
              {...control}
              value={lists.resources.some((resource) => resource.uri === uri) ? uri : ''}
              onChange={(event) => {
                setTemplate(undefined);
                setUrl({ uri: event.target.value || null });
              }}
            >
              <option value="">{t.common.none}</option>
              {lists.resources.map((resource) => (
                <option key={resource.uri} value={resource.uri}>
                  {resource.title ?? resource.name} ({resource.uri})
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={text.template}>
          {(control) => (
            <Select
              {...control}
              value={template?.uriTemplate ?? ''}
              onChange={(event) => {
                const next = lists.templates.find((own) => own.uriTemplate === event.target.value);
                setTemplate(next);
                setUrl({ uri: next ? expandTemplate(next.uriTemplate, {}) : null });
              }}
            >
              <option value="">{text.templateNone}</option>
              {lists.templates.map((own) => (
                <option key={own.uriTemplate} value={own.uriTemplate}>
                  {own.title ?? own.name} ({own.uriTemplate})
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <RunPanel
        title={text.tabs.resources}
        hint={text.callHint}
        run={text.read}
        running={state.status === 'running'}
        disabled={uri === ''}
        onRun={() =>
          run(async (options) => {
            const params = { uri, ...connection.meta(url.level) };
            return (await connection.client.readResource(params, {
              ...options,
              cacheMode: 'bypass',
            })) as TryResourceAnswer;
          })
        }
        onCancel={cancel}
        outcome={
          <>
            <RunView state={state} waiting={playground.questions.length > 0} onAnswer={cancel} onCancel={cancel}>
              {(result) => <ResourceResultView result={result} />}
            </RunView>
            <OpenQuestions questions={playground.questions} />
          </>
        }
      >
        {template && (
          <Variables
            key={template.uriTemplate}
            template={template.uriTemplate}
            connection={connection}
            onUri={(next) => setUrl({ uri: next })}
          />
        )}
        <Field label={text.uri}>
          {(control) => (
            <Input
              {...control}
              className="font-mono text-[12.5px]"
              spellCheck={false}
              value={uri}
              onChange={(event) => setUrl({ uri: event.target.value })}
            />
          )}
        </Field>
      </RunPanel>
      {connection.client.getServerCapabilities()?.resources?.subscribe && (
        <Subscriptions connection={connection} uri={uri} />
      )}
    </>
  );
}

interface VariablesProps {
  template: string;
  connection: Connection;
  onUri: (uri: string) => void;
}

function Variables({ template, connection, onUri }: VariablesProps) {
  const [values, setValues] = useState<Record<string, string>>({});
  const { found, onType } = useSuggestions(connection, { type: 'ref/resource', uri: template }, values);
  return (
    <TextFields
      fields={templateVariables(template).map((name) => ({ name, suggestions: found[name] }))}
      values={values}
      onType={onType}
      onChange={(next) => {
        setValues(next);
        onUri(expandTemplate(template, next));
      }}
    />
  );
}

/** What the connection watches, kept as long as the tab is shown. */
function Subscriptions({ connection, uri }: { connection: Connection; uri: string }) {
  const [watched, setWatched] = useState<readonly string[]>(connection.watched);
  const [error, setError] = useState<unknown>();
  const on = watched.includes(uri);

  async function change(next: readonly string[]) {
    setError(undefined);
    try {
      await connection.watch(next);
      setWatched(next);
    } catch (failure) {
      setError(failure);
    }
  }

  return (
    <section aria-label={text.subscriptions} className="flex flex-col items-start gap-2">
      <Button
        size="sm"
        disabled={uri === ''}
        onClick={() => change(on ? watched.filter((own) => own !== uri) : [...watched, uri])}
      >
        {on ? text.unsubscribe : text.subscribe}
      </Button>
      {watched.length > 0 && (
        <p className="text-muted text-xs">
          {text.subscriptions} <code>{watched.join(', ')}</code>
        </p>
      )}
      {error !== undefined && <ProblemView problem={rpcProblem(error)} />}
    </section>
  );
}
