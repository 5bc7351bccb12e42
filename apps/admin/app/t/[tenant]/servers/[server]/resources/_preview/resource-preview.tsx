'use client';
import type { TryResourceAnswer } from '@gantry/contracts';
import { type ReactNode, useState } from 'react';
import { TextFields } from '@/components/arguments/text-fields';
import { ResourceResultView } from '@/components/run/resource-result';
import { RunPanel } from '@/components/run/run-panel';
import { RunView } from '@/components/run/run-view';
import { readResourcePath } from '@/data/resources/resources';
import { useRun } from '@/data/runs/use-run';
import { expandTemplate, templateVariables } from '@/lib/uri-template';
import { t } from '@/strings';

const text = t.resources.preview;

interface ResourcePreviewProps {
  tenant: string;
  server: string;
  /** A URI, or with `complete` the template of many. */
  uri: string;
  /** Suggestions for the variables; absent for a plain URI. */
  complete?: Readonly<Record<string, readonly string[]>>;
  stored: boolean;
  mayTry: boolean;
  title?: ReactNode;
  actions?: ReactNode;
  /** Saves what is not saved yet; the read waits for it, and is off when it fails. */
  beforeRun?: () => Promise<boolean>;
}

/** A resource read as a client would; of a template, the one that the filled-in variables choose. */
export function ResourcePreview(props: ResourcePreviewProps) {
  const { tenant, server, uri, complete, stored, mayTry, title = text.title, actions, beforeRun } = props;
  const { state, run, answer, cancel } = useRun<TryResourceAnswer>(tenant);
  const [values, setValues] = useState<Record<string, string>>({});
  const variables = complete ? templateVariables(uri) : [];
  const expanded = complete ? expandTemplate(uri, values) : uri;

  async function start() {
    if (beforeRun && !(await beforeRun())) return;
    await run(readResourcePath(tenant, server), `"uri":${JSON.stringify(expanded)}`);
  }

  return (
    <RunPanel
      title={title}
      hint={text.hint}
      off={!stored ? text.notSaved : mayTry ? undefined : text.noPermission}
      run={beforeRun ? text.saveAndRun : text.run}
      running={state.status === 'running' || state.status === 'asking'}
      onRun={start}
      onCancel={cancel}
      actions={actions}
      outcome={
        <RunView state={state} onAnswer={answer} onCancel={cancel}>
          {(result) => <ResourceResultView result={result} />}
        </RunView>
      }
    >
      {complete && (
        <>
          <TextFields
            fields={variables.map((name) => ({ name, suggestions: complete[name] }))}
            values={values}
            onChange={setValues}
          />
          <p className="text-sm">
            <span className="text-muted text-xs">{text.expanded} </span>
            <code className="break-all">{expanded}</code>
          </p>
        </>
      )}
    </RunPanel>
  );
}
