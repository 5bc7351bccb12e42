'use client';
import type { PointedMessage } from '@gantry/contracts';
import { ProblemCallout } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { t } from '@/strings';
import { Conflict } from './conflict';
import type { ToolDraft } from './use-tool-draft';

const text = t.tools.editor;

interface NoticesProps {
  draft: ToolDraft;
  byField: ReadonlyMap<string, PointedMessage[]>;
  rest: PointedMessage[];
  /** Shows the tab that holds a field. */
  onGo: (field: string) => void;
  mayWrite: boolean;
}

/** What stands between the reader and a saved tool, above the tabs where it cannot be missed. */
export function EditorNotices({ draft, byField, rest, onGo, mayWrite }: NoticesProps) {
  return (
    <>
      {!mayWrite && <Callout tone="info" title={text.readOnly} />}
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
        <Conflict draft={draft} theirs={draft.theirs} />
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
        draft.error && <ProblemCallout error={draft.error} title={text.failed} />
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
