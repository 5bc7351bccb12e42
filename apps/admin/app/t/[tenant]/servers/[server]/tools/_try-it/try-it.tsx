'use client';
import type { TryToolAnswer } from '@gantry/contracts';
import { Play, Square } from 'lucide-react';
import { useCallback, useState } from 'react';
import { ArgumentsForm } from '@/components/arguments/arguments-form';
import { defaultArguments } from '@/components/arguments/arguments-model';
import { ResultView } from '@/components/run/result-view';
import { RunView } from '@/components/run/run-view';
import type { Schema } from '@/components/schema-form/model';
import { propertiesOf } from '@/components/schema-form/model';
import { useModKey } from '@/components/shell/hotkeys';
import { Button } from '@/components/ui/button';
import { CodeArea } from '@/components/ui/code-area';
import { Field } from '@/components/ui/field';
import { Kbd } from '@/components/ui/kbd';
import { Segmented } from '@/components/ui/segmented';
import { useRun } from '@/data/runs/use-run';
import { toolPath } from '@/data/tools/queries';
import { parseJson } from '@/lib/json';
import { t } from '@/strings';

const text = t.tryIt;

interface TryItProps {
  tenant: string;
  server: string;
  /** Name the tool is stored under; absent while it is new. */
  tool: string | undefined;
  schema: Schema;
  dirty: boolean;
  mayTry: boolean;
  /** Saves what is not saved yet; the run waits for it, and is off when it fails. */
  beforeRun?: () => Promise<boolean>;
}

/** Fill in, run, watch it answer, cancel. */
export function TryIt({ tenant, server, tool, schema, dirty, mayTry, beforeRun }: TryItProps) {
  const [view, setView] = useState<'form' | 'json'>('form');
  const [args, setArgs] = useState<Record<string, unknown>>();
  const [raw, setRaw] = useState('{}');
  const { state, run, answer, cancel } = useRun<TryToolAnswer>(tenant);
  const value = args ?? defaultArguments(schema);
  const running = state.status === 'running' || state.status === 'asking';
  const rawFault = view === 'json' ? parseJson(raw) : undefined;
  const fault =
    rawFault && !rawFault.ok
      ? t.tools.schema.invalidJson(rawFault.fault.line, rawFault.fault.column, rawFault.fault.what)
      : undefined;
  const savesFirst = dirty && beforeRun !== undefined;
  const errors = state.problem?.errors ?? [];

  const start = useCallback(async () => {
    if (!tool || running || fault) return;
    if (savesFirst && !(await beforeRun())) return;
    const path = toolPath(tenant, server, tool, 'try');
    await run(path, `"arguments":${view === 'json' ? raw : JSON.stringify(value)}`);
  }, [tenant, server, tool, running, fault, savesFirst, beforeRun, run, view, raw, value]);

  useModKey('Enter', start, tool !== undefined && mayTry);

  function changeView(next: 'form' | 'json') {
    if (next === 'json') setRaw(JSON.stringify(value, null, 2));
    else {
      const parsed = parseJson(raw);
      // An invalid draft stays in the JSON view, where it can be mended.
      if (!parsed.ok) return;
      setArgs(parsed.value as Record<string, unknown>);
    }
    setView(next);
  }

  const names = propertiesOf(schema);
  return (
    <section className="flex flex-col gap-4 rounded-lg border bg-surface p-4">
      <header className="flex items-center justify-between gap-3">
        <h2 className="font-semibold text-base">{text.title}</h2>
        {tool && names.length > 0 && (
          <Segmented
            label={text.argumentsView}
            value={view}
            onChange={changeView}
            options={[
              { value: 'form', label: text.form },
              { value: 'json', label: text.json },
            ]}
          />
        )}
      </header>
      {!tool ? (
        <p className="text-muted text-sm">{text.notSaved}</p>
      ) : !mayTry ? (
        <p className="text-muted text-sm">{text.noPermission}</p>
      ) : (
        <>
          {view === 'json' ? (
            <Field label={text.arguments} error={fault}>
              {(control) => (
                <CodeArea {...control} rows={8} value={raw} onChange={(event) => setRaw(event.target.value)} />
              )}
            </Field>
          ) : names.length === 0 ? (
            <p className="text-muted text-sm">{text.noArguments}</p>
          ) : (
            <ArgumentsForm schema={schema} value={value} onChange={setArgs} errors={errors} pointer="/arguments" />
          )}
          <div className="flex items-center gap-2">
            <Button variant="primary" onClick={start} disabled={running || fault !== undefined}>
              <Play /> {savesFirst ? text.saveAndRun : text.run}
            </Button>
            {running && (
              <Button onClick={cancel}>
                <Square /> {text.cancel}
              </Button>
            )}
            {!running && (
              <span className="hidden items-center gap-1 sm:flex" aria-hidden>
                <Kbd>Ctrl</Kbd>
                <Kbd>Enter</Kbd>
              </span>
            )}
          </div>
          <RunView state={state} onAnswer={answer} onCancel={cancel}>
            {(result) => <ResultView result={result} />}
          </RunView>
        </>
      )}
      <p className="text-muted text-xs">{text.hint}</p>
    </section>
  );
}
