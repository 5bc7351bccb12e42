'use client';
import type { TryPromptAnswer } from '@gantry/contracts';
import type { Prompt } from '@modelcontextprotocol/client';
import { useQueryStates } from 'nuqs';
import { useCallback, useState } from 'react';
import { TextFields } from '@/components/arguments/text-fields';
import { PromptResultView } from '@/components/run/prompt-result';
import { RunPanel } from '@/components/run/run-panel';
import { RunView } from '@/components/run/run-view';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/input';
import { t } from '@/strings';
import { useMcpRun } from '../_client/use-mcp-run';
import { OpenQuestions } from '../open-questions';
import { readArgs, urlKeys, writeArgs } from '../url';
import { ListingPanel } from './listing-panel';
import type { TabProps } from './tools-tab';
import { useListing } from './use-listing';
import { useSuggestions } from './use-suggestions';

const text = t.playground;

export function PromptsTab({ connection, playground }: TabProps) {
  const { client } = connection;
  const list = useCallback(
    async () => (await client.listPrompts(undefined, { cacheMode: 'refresh' })).prompts,
    [client],
  );
  const { items, problem, read } = useListing(list, 'notifications/prompts/list_changed', playground.listen);
  const [url, setUrl] = useQueryStates(urlKeys);
  return (
    <ListingPanel
      what={text.tabs.prompts.toLowerCase()}
      offered={client.getServerCapabilities()?.prompts !== undefined}
      items={items}
      problem={problem}
      onRead={read}
    >
      {(prompts) => {
        const chosen = prompts.find((prompt) => prompt.name === url.prompt) ?? prompts[0]!;
        return (
          <>
            <Field label={text.prompt} className="max-w-96">
              {(control) => (
                <Select
                  {...control}
                  value={chosen.name}
                  onChange={(event) => setUrl({ prompt: event.target.value, args: null })}
                >
                  {prompts.map((prompt) => (
                    <option key={prompt.name} value={prompt.name}>
                      {prompt.title ? `${prompt.title} (${prompt.name})` : prompt.name}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <PromptGet key={chosen.name} prompt={chosen} connection={connection} playground={playground} />
          </>
        );
      }}
    </ListingPanel>
  );
}

function PromptGet({ prompt, connection, playground }: TabProps & { prompt: Prompt }) {
  const [url, setUrl] = useQueryStates(urlKeys);
  const { state, run, cancel } = useMcpRun<TryPromptAnswer>(playground.listen);
  const [values, setValues] = useState<Record<string, string>>(() =>
    url.prompt === prompt.name ? texts(readArgs(url.args)) : {},
  );
  const { found, onType } = useSuggestions(connection, { type: 'ref/prompt', name: prompt.name }, values);
  const fields = (prompt.arguments ?? []).map((argument) => ({ ...argument, suggestions: found[argument.name] }));
  return (
    <RunPanel
      title={prompt.title ?? <span className="font-mono">{prompt.name}</span>}
      hint={text.callHint}
      run={text.get}
      running={state.status === 'running'}
      onRun={() =>
        run(async (options) => {
          const params = { name: prompt.name, arguments: values, ...connection.meta(url.level) };
          return (await connection.client.getPrompt(params, options)) as TryPromptAnswer;
        })
      }
      onCancel={cancel}
      outcome={
        <>
          <RunView state={state} waiting={playground.questions.length > 0} onAnswer={cancel} onCancel={cancel}>
            {(result) => <PromptResultView result={result} />}
          </RunView>
          <OpenQuestions questions={playground.questions} />
        </>
      }
    >
      {prompt.description && <p className="whitespace-pre-wrap text-muted text-sm">{prompt.description}</p>}
      {fields.length === 0 ? (
        <p className="text-muted text-sm">{t.prompts.preview.noArguments}</p>
      ) : (
        <TextFields
          fields={fields}
          values={values}
          onType={onType}
          onChange={(next) => {
            setValues(next);
            setUrl({ prompt: prompt.name, args: writeArgs(next) });
          }}
        />
      )}
    </RunPanel>
  );
}

/** Only texts fit a prompt's arguments; a link may hold anything. */
function texts(args: Record<string, unknown> | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(args ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
