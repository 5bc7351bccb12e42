'use client';
import type { PointedMessage } from '@gantry/contracts';
import { ProblemCallout } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import type { Draft } from '@/lib/drafts/use-draft';
import { t } from '@/strings';
import { Conflict } from './conflict';
import type { EditorWords } from './words';

const text = t.editor;

interface NoticesProps<D> {
  words: EditorWords;
  draft: Draft<D>;
  byField: ReadonlyMap<string, PointedMessage[]>;
  rest: PointedMessage[];
  /** Shows the tab that holds a field. */
  onGo: (field: string) => void;
  mayWrite: boolean;
}

/** What stands between the reader and a saved item, above the tabs where it cannot be missed. */
export function EditorNotices<D>({ words, draft, byField, rest, onGo, mayWrite }: NoticesProps<D>) {
  return (
    <>
      {!mayWrite && <Callout tone="info" title={words.readOnly} />}
      {draft.restored && (
        <Callout
          tone="info"
          role="status"
          title={text.restored}
          actions={
            <Button size="sm" onClick={draft.discard}>
              {text.discard}
            </Button>
          }
        />
      )}
      {draft.theirs ? (
        <Conflict title={words.conflictTitle} draft={draft} theirs={draft.theirs} />
      ) : draft.errors.length > 0 ? (
        <Callout tone="danger" role="alert" title={t.common.errorsFound(draft.errors.length)}>
          <ul className="flex flex-col gap-1">
            {[...byField].flatMap(([field, entries]) =>
              entries.map((entry) => (
                <li key={`${entry.path} ${entry.message}`}>
                  <Button variant="link" className="font-mono text-xs" onClick={() => onGo(field)}>
                    {entry.path}
                  </Button>{' '}
                  {entry.message}
                </li>
              )),
            )}
            {rest.map((entry) => (
              <li key={`${entry.path} ${entry.message}`}>
                <code>{entry.path}</code> {entry.message}
              </li>
            ))}
          </ul>
        </Callout>
      ) : (
        draft.error !== undefined && <ProblemCallout error={draft.error} title={words.failed} />
      )}
      {draft.warnings.length > 0 && (
        <Callout tone="warn" role="status" title={text.warnings}>
          <ul>
            {draft.warnings.map((entry) => (
              <li key={`${entry.path} ${entry.message}`}>
                <code>{entry.path}</code> {entry.message}
              </li>
            ))}
          </ul>
        </Callout>
      )}
    </>
  );
}
