'use client';
import { Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Section } from '@/components/editor/section';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { sameJson } from '@/lib/json';
import { t } from '@/strings';

const text = t.tools.http;

interface KeyValueEditorProps {
  title: string;
  hint: string;
  add: string;
  value: Record<string, string> | undefined;
  onChange: (value: Record<string, string> | undefined) => void;
  error?: string;
}

type Row = [key: string, value: string];

/** Rows over a record. A row without a name, or with one that is taken, is shown but not part of the record yet. */
export function KeyValueEditor({ title, hint, add, value, onChange, error }: KeyValueEditorProps) {
  const committed = useRef(value);
  const [rows, setRows] = useState<Row[]>(() => Object.entries(value ?? {}));
  if (committed.current !== value) {
    const ours = sameJson(toRecord(rows) ?? {}, value ?? {});
    committed.current = value;
    if (!ours) setRows(Object.entries(value ?? {}));
  }

  function change(next: Row[]) {
    setRows(next);
    onChange(toRecord(next));
  }
  const edit = (index: number, row: Row) => change(rows.map((old, i) => (i === index ? row : old)));

  return (
    <Section title={title} hint={rows.length > 0 ? hint : undefined}>
      {rows.map(([key, own], index) => {
        const taken = key !== '' && rows.findIndex(([other]) => other === key) !== index;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps its place while its name is being typed
          <div key={index} className="flex flex-wrap items-start gap-2 sm:flex-nowrap">
            <div className="w-full sm:w-52">
              <Input
                className="font-mono text-[12.5px]"
                aria-label={`${title}: ${text.key}`}
                aria-invalid={taken ? true : undefined}
                placeholder={text.key}
                value={key}
                spellCheck={false}
                onChange={(event) => edit(index, [event.target.value, own])}
              />
              {taken && <p className="text-danger text-xs">{text.taken}</p>}
            </div>
            <Input
              className="min-w-0 flex-1 font-mono text-[12.5px]"
              aria-label={`${title}: ${text.value} ${key}`}
              placeholder={text.value}
              value={own}
              spellCheck={false}
              onChange={(event) => edit(index, [key, event.target.value])}
            />
            <Button
              variant="ghost"
              size="icon"
              aria-label={text.remove(key)}
              onClick={() => change(rows.filter((_row, i) => i !== index))}
            >
              <X />
            </Button>
          </div>
        );
      })}
      {error && <p className="text-danger text-xs">{error}</p>}
      <Button size="sm" className="self-start" onClick={() => setRows([...rows, ['', '']])}>
        <Plus /> {add}
      </Button>
    </Section>
  );
}

function toRecord(rows: Row[]): Record<string, string> | undefined {
  const record: Record<string, string> = {};
  for (const [key, value] of rows) if (key !== '' && !(key in record)) record[key] = value;
  return Object.keys(record).length > 0 ? record : undefined;
}
