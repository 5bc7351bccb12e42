'use client';
import type { PromptDocument, TryPromptAnswer } from '@gantry/contracts';
import { type ReactNode, useState } from 'react';
import { TextFields } from '@/components/arguments/text-fields';
import { PromptResultView } from '@/components/run/prompt-result';
import { RunPanel } from '@/components/run/run-panel';
import { RunView } from '@/components/run/run-view';
import { promptPath } from '@/data/prompts/prompts';
import { useRun } from '@/data/runs/use-run';
import { t } from '@/strings';

const text = t.prompts.preview;

interface PromptPreviewProps {
  tenant: string;
  server: string;
  prompt: PromptDocument;
  /** Name it is stored under; absent while it is new. */
  storedName: string | undefined;
  mayTry: boolean;
  title?: ReactNode;
  actions?: ReactNode;
  /** Saves what is not saved yet; the run waits for it, and is off when it fails. */
  beforeRun?: () => Promise<boolean>;
}

/** A prompt rendered as a client would get it. */
export function PromptPreview(props: PromptPreviewProps) {
  const { tenant, server, prompt, storedName, mayTry, title = text.title, actions, beforeRun } = props;
  const { state, run, answer, cancel } = useRun<TryPromptAnswer>(tenant);
  const [values, setValues] = useState<Record<string, string>>({});
  const fields = (prompt.arguments ?? []).map(({ complete, ...field }) => ({ ...field, suggestions: complete }));

  async function start() {
    if (storedName === undefined) return;
    if (beforeRun && !(await beforeRun())) return;
    // Values of arguments that are gone since they were typed are not sent.
    const sent = Object.fromEntries(Object.entries(values).filter(([name]) => fields.some((f) => f.name === name)));
    await run(promptPath(tenant, server, storedName, 'try'), `"arguments":${JSON.stringify(sent)}`);
  }

  return (
    <RunPanel
      title={title}
      hint={text.hint}
      off={storedName === undefined ? text.notSaved : mayTry ? undefined : text.noPermission}
      run={beforeRun ? text.saveAndRun : text.run}
      running={state.status === 'running' || state.status === 'asking'}
      onRun={start}
      onCancel={cancel}
      actions={actions}
      outcome={
        <RunView state={state} onAnswer={answer} onCancel={cancel}>
          {(result) => <PromptResultView result={result} />}
        </RunView>
      }
    >
      {fields.length === 0 ? (
        <p className="text-muted text-sm">{text.noArguments}</p>
      ) : (
        <TextFields fields={fields} values={values} onChange={setValues} errors={state.problem?.errors} />
      )}
    </RunPanel>
  );
}
