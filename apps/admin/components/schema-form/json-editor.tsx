'use client';
import { CircleAlert } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { CodeArea } from '@/components/ui/code-area';
import { parseJson } from '@/lib/json';
import { t } from '@/strings';

interface JsonEditorProps {
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
  /** Says why a well-formed value is still none of these; undefined when it is fine. */
  refuse?: (value: unknown) => string | undefined;
  rows?: number;
  readOnly?: boolean;
  error?: string;
}

/**
 * JSON text over a value that others edit too. What is typed stays as typed, also while it is invalid; the value
 * follows at every moment the text is valid, and the text follows when the value is changed from elsewhere.
 */
export function JsonEditor({ label, value, onChange, refuse, rows = 14, readOnly, error }: JsonEditorProps) {
  const errorId = useId();
  const committed = useRef(value);
  const [text, setText] = useState(() => format(value));
  const [fault, setFault] = useState<string>();
  if (!Object.is(committed.current, value)) {
    committed.current = value;
    setText(format(value));
    setFault(undefined);
  }

  function change(next: string) {
    setText(next);
    const parsed = parseJson(next);
    if (!parsed.ok) {
      const { line, column, what } = parsed.fault;
      setFault(t.tools.schema.invalidJson(line, column, what));
      return;
    }
    const refusal = refuse?.(parsed.value);
    setFault(refusal);
    if (refusal) return;
    committed.current = parsed.value;
    onChange(parsed.value);
  }

  const shown = fault ?? error;
  return (
    <div className="flex flex-col gap-1">
      <CodeArea
        aria-label={label}
        aria-invalid={shown ? true : undefined}
        aria-describedby={shown ? errorId : undefined}
        rows={rows}
        value={text}
        readOnly={readOnly}
        onChange={(event) => change(event.target.value)}
      />
      <p id={errorId} aria-live="polite" className="flex min-h-4 items-start gap-1 text-danger text-xs">
        {shown && (
          <>
            <CircleAlert className="mt-0.5 size-3 shrink-0" aria-hidden />
            {shown}
          </>
        )}
      </p>
    </div>
  );
}

const format = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2));
