'use client';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { CodeBlock } from '@/components/ui/code-block';
import type { Answer } from '@/lib/api/client';
import type { Draft } from '@/lib/drafts/use-draft';
import { sameJson } from '@/lib/json';
import { t } from '@/strings';

const text = t.editor;

/** Two people saved one item: what differs, and whose stays. */
export function Conflict<D>({ title, draft, theirs }: { title: string; draft: Draft<D>; theirs: Answer<D> }) {
  const mine = draft.document as Record<string, unknown>;
  const other = theirs.data as Record<string, unknown>;
  const fields = [...new Set([...Object.keys(other), ...Object.keys(mine)])].filter(
    (field) => !sameJson(mine[field], other[field]),
  );
  return (
    <Callout
      tone="warn"
      role="alert"
      title={title}
      actions={
        <>
          <Button size="sm" onClick={draft.takeTheirs}>
            {text.takeTheirs}
          </Button>
          <Button size="sm" onClick={() => draft.submit({ over: theirs.etag })}>
            {text.keepMine}
          </Button>
        </>
      }
    >
      <p>{fields.length > 0 ? text.conflictText : text.conflictSame}</p>
      {fields.map((field) => (
        <section key={field} aria-label={field} className="mt-2">
          <h3 className="font-mono text-xs">{field}</h3>
          <div className="mt-1 grid gap-2 sm:grid-cols-2">
            <Side label={text.theirs} value={other[field]} />
            <Side label={text.yours} value={mine[field]} />
          </div>
        </section>
      ))}
    </Callout>
  );
}

function Side({ label, value }: { label: string; value: unknown }) {
  return (
    <div className="min-w-0">
      <p className="text-muted text-xs">{label}</p>
      <CodeBlock label={label} className="max-h-40 bg-surface" wrap>
        {value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
      </CodeBlock>
    </div>
  );
}
