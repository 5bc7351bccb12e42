'use client';
import type { CallCancelled, InFlightCall, SessionDetail } from '@gantry/contracts';
import { useState } from 'react';
import { useTick } from '@/components/page/use-tick';
import { ActionTd, ActionTh, Table, Td, Th, Tr } from '@/components/table/table';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { useCancelCall } from '@/data/sessions/mutations';
import { formatSpan } from '@/lib/format';
import { t } from '@/strings';

const text = t.sessions.flight;

interface InFlightPanelProps {
  tenant: string;
  session: SessionDetail;
  over: boolean;
  mayCancel: boolean;
}

const nameOf = (call: InFlightCall) => call.tool ?? call.method;

/** What is running, wherever it runs, and the way to stop it. */
export function InFlightPanel({ tenant, session, over, mayCancel }: InFlightPanelProps) {
  const calls = over ? [] : session.inFlightCalls;
  const now = useTick(1_000, calls.length > 0);
  const cancel = useCancelCall(tenant, session.id);
  const [asked, setAsked] = useState<InFlightCall>();
  const [result, setResult] = useState<{ call: InFlightCall; answer: CallCancelled }>();
  return (
    <section aria-label={text.title} className="flex flex-col gap-2">
      <h2 className="font-semibold text-base">{text.title}</h2>
      {result && <CancelResult call={result.call} answer={result.answer} />}
      {calls.length === 0 ? (
        <p className="text-muted text-sm">{text.empty}</p>
      ) : (
        <Table
          caption={text.caption}
          minWidth="min-w-[560px]"
          head={
            <>
              <Th>{text.what}</Th>
              <Th>{text.requestId}</Th>
              <Th align="right">{text.age}</Th>
              <Th>{text.progress}</Th>
              <Th>{text.node}</Th>
              {mayCancel && <ActionTh>{text.cancel}</ActionTh>}
            </>
          }
        >
          {calls.map((call) => (
            <Tr key={call.id}>
              <Td className="max-w-64 truncate">
                <code className="text-xs">{nameOf(call)}</code>
                {call.tool && <span className="text-muted text-xs"> {call.method}</span>}
              </Td>
              <Td className="max-w-32 truncate font-mono text-muted text-xs">{call.requestId}</Td>
              <Td align="right" className="font-mono text-xs">
                {now ? formatSpan(now - Date.parse(call.startedAt)) : ''}
              </Td>
              <Td>
                <ProgressOf call={call} />
              </Td>
              <Td className="font-mono text-muted text-xs">{call.node}</Td>
              {mayCancel && (
                <ActionTd>
                  <Button size="sm" aria-label={text.cancelOf(nameOf(call))} onClick={() => setAsked(call)}>
                    {text.cancel}
                  </Button>
                </ActionTd>
              )}
            </Tr>
          ))}
        </Table>
      )}
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setAsked(undefined)}
          title={text.cancelTitle(nameOf(asked))}
          action={text.cancelButton}
          onConfirm={async () => setResult({ call: asked, answer: await cancel.mutateAsync(asked.id) })}
        >
          <p>{text.cancelText}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function CancelResult({ call, answer }: { call: InFlightCall; answer: CallCancelled }) {
  const name = nameOf(call);
  if (answer.cancelled) {
    return <Callout tone="ok" role="status" title={text.results.cancelled(name, answer.node ?? call.node)} />;
  }
  if (answer.silentNodes.length > 0) {
    return <Callout tone="warn" role="status" title={text.results.silent(name, answer.silentNodes.join(', '))} />;
  }
  return <Callout tone="info" role="status" title={text.results.done(name)} />;
}

function ProgressOf({ call }: { call: InFlightCall }) {
  const { progress } = call;
  if (!progress) return <span className="text-muted text-xs">{text.noProgress}</span>;
  const { value, total, message } = progress;
  const label = total === undefined ? String(value) : `${value} / ${total}`;
  return (
    <span className="flex min-w-0 items-center gap-2 text-xs">
      {total !== undefined && total > 0 && (
        <span
          role="progressbar"
          aria-label={text.progressOf(nameOf(call))}
          aria-valuenow={value}
          aria-valuemin={0}
          aria-valuemax={total}
          className="block h-1.5 w-20 shrink-0 overflow-hidden rounded-full bg-line"
        >
          <span className="block h-full bg-accent" style={{ width: `${Math.min(100, (100 * value) / total)}%` }} />
        </span>
      )}
      <span className="font-mono tabular-nums">{label}</span>
      {message && <span className="max-w-48 truncate text-muted">{message}</span>}
    </span>
  );
}
