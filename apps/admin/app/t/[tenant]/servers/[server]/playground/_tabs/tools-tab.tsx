'use client';
import type { TryToolAnswer } from '@gantry/contracts';
import type { Tool } from '@modelcontextprotocol/client';
import { useQueryStates } from 'nuqs';
import { useCallback, useState } from 'react';
import { ArgumentsForm } from '@/components/arguments/arguments-form';
import { defaultArguments } from '@/components/arguments/arguments-model';
import { ResultView } from '@/components/run/result-view';
import { RunPanel } from '@/components/run/run-panel';
import { RunView } from '@/components/run/run-view';
import { JsonEditor } from '@/components/schema-form/json-editor';
import { propertiesOf } from '@/components/schema-form/model';
import { Badge } from '@/components/ui/badge';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/input';
import { Segmented } from '@/components/ui/segmented';
import { isObject } from '@/lib/json';
import { t } from '@/strings';
import type { Connection } from '../_client/connection';
import type { Playground } from '../_client/use-connection';
import { useMcpRun } from '../_client/use-mcp-run';
import { OpenQuestions } from '../open-questions';
import { readArgs, urlKeys, writeArgs } from '../url';
import { ListingPanel } from './listing-panel';
import { useListing } from './use-listing';

const text = t.playground;

export interface TabProps {
  connection: Connection;
  playground: Playground;
}

export function ToolsTab({ connection, playground }: TabProps) {
  const { client } = connection;
  const list = useCallback(async () => (await client.listTools(undefined, { cacheMode: 'refresh' })).tools, [client]);
  const { items, problem, read } = useListing(list, 'notifications/tools/list_changed', playground.listen);
  const [url, setUrl] = useQueryStates(urlKeys);
  return (
    <ListingPanel
      what={text.tabs.tools.toLowerCase()}
      offered={client.getServerCapabilities()?.tools !== undefined}
      items={items}
      problem={problem}
      onRead={read}
    >
      {(tools) => {
        const chosen = tools.find((tool) => tool.name === url.tool) ?? tools.find(isSafe) ?? tools[0]!;
        return (
          <>
            <Field label={text.tool} className="max-w-96">
              {(control) => (
                <Select
                  {...control}
                  value={chosen.name}
                  onChange={(event) => setUrl({ tool: event.target.value, args: null })}
                >
                  {tools.map((tool) => (
                    <option key={tool.name} value={tool.name}>
                      {tool.title ? `${tool.title} (${tool.name})` : tool.name}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <ToolCall key={chosen.name} tool={chosen} connection={connection} playground={playground} />
          </>
        );
      }}
    </ListingPanel>
  );
}

const isSafe = ({ annotations }: Tool) => annotations?.readOnlyHint === true || annotations?.destructiveHint === false;

function ToolCall({ tool, connection, playground }: TabProps & { tool: Tool }) {
  const [url, setUrl] = useQueryStates(urlKeys);
  const { state, run, cancel } = useMcpRun<TryToolAnswer>(playground.listen);
  const [view, setView] = useState<'form' | 'json'>('form');
  const [asking, setAsking] = useState(false);
  const schema = tool.inputSchema as Record<string, unknown>;
  const [args, setArgs] = useState<Record<string, unknown>>(
    () => (url.tool === tool.name ? readArgs(url.args) : undefined) ?? defaultArguments(schema),
  );
  const hints = Object.keys(t.tools.hints) as (keyof typeof t.tools.hints)[];
  const change = (next: Record<string, unknown>) => {
    setArgs(next);
    setUrl({ tool: tool.name, args: writeArgs(next) });
  };
  const call = () =>
    run(async (options) => {
      const params = { name: tool.name, arguments: args, ...connection.meta(url.level) };
      return (await connection.client.callTool(params, { ...options, toolDefinition: tool })) as TryToolAnswer;
    });
  const start = async () => {
    if (tool.annotations?.destructiveHint) setAsking(true);
    else await call();
  };
  return (
    <>
      <RunPanel
        title={tool.title ?? <span className="font-mono">{tool.name}</span>}
        hint={text.callHint}
        run={text.call}
        running={state.status === 'running'}
        onRun={start}
        onCancel={cancel}
        actions={
          <Segmented
            label={t.tryIt.argumentsView}
            value={view}
            onChange={setView}
            options={[
              { value: 'form', label: t.tryIt.form },
              { value: 'json', label: t.tryIt.json },
            ]}
          />
        }
        outcome={
          <>
            <RunView state={state} waiting={playground.questions.length > 0} onAnswer={cancel} onCancel={cancel}>
              {(result) => <ResultView result={result} />}
            </RunView>
            <OpenQuestions questions={playground.questions} />
          </>
        }
      >
        {tool.description && <p className="whitespace-pre-wrap text-muted text-sm">{tool.description}</p>}
        {hints.some((hint) => tool.annotations?.[hint]) && (
          <p className="flex flex-wrap gap-1">
            {hints
              .filter((hint) => tool.annotations?.[hint])
              .map((hint) => (
                <Badge key={hint} tone={hint === 'destructiveHint' ? 'danger' : 'neutral'}>
                  {t.tools.hints[hint]}
                </Badge>
              ))}
          </p>
        )}
        {view === 'json' ? (
          <JsonEditor
            label={t.tryIt.arguments}
            rows={8}
            value={args}
            onChange={(value) => change(value as Record<string, unknown>)}
            refuse={(value) => (isObject(value) ? undefined : t.tools.schema.notObject)}
          />
        ) : propertiesOf(schema).length === 0 ? (
          <p className="text-muted text-sm">{t.tryIt.noArguments}</p>
        ) : (
          <ArgumentsForm schema={schema} value={args} onChange={change} errors={[]} pointer="/arguments" />
        )}
      </RunPanel>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={text.destructiveTitle(tool.name)}
        action={text.destructiveAction}
        onConfirm={async () => {
          // The dialog closes at once; the run is watched below.
          void call();
        }}
      >
        <p>{text.destructiveText}</p>
      </ConfirmDialog>
    </>
  );
}
