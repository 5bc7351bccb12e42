'use client';
import type { GantryNode } from '@gantry/contracts';
import { useState } from 'react';
import { ProblemCallout } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { toast } from '@/components/ui/toast';
import { useTellNode } from '@/data/nodes/mutations';
import { t } from '@/strings';
import { isLastReady } from './node-model';

const text = t.nodes;

interface NodeActionsProps {
  node: GantryNode;
  all: readonly GantryNode[];
}

/** Drain with its confirmation, or undrain. Both wait for the word of the node itself. */
export function NodeActions({ node, all }: NodeActionsProps) {
  const [open, setOpen] = useState(false);
  const drain = useTellNode('drain');
  const undrain = useTellNode('undrain');
  if (node.state === 'gone') return null;
  if (node.state === 'draining') {
    return (
      <div className="flex flex-col items-start gap-2">
        <Button
          size="sm"
          disabled={undrain.isPending}
          onClick={() => undrain.mutate(node.id, { onSuccess: () => toast({ text: text.undrained(node.id) }) })}
        >
          {text.undrain}
        </Button>
        {undrain.error && <ProblemCallout error={undrain.error} title={text.undrainFailed} />}
      </div>
    );
  }
  return (
    <>
      <Button size="sm" variant="danger-quiet" onClick={() => setOpen(true)}>
        {text.drain}
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={text.drainTitle(node.id)}
        action={text.drainButton}
        typed={node.id}
        onConfirm={async () => {
          await drain.mutateAsync(node.id);
          toast({ text: text.drained(node.id) });
        }}
      >
        <p>{text.drainText}</p>
        <ul className="list-disc pl-4 text-muted tabular-nums">
          {text.drainLoss(node.streams, node.listens ?? 0, node.inFlight).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        {isLastReady(node, all) && <Callout tone="warn" title={text.drainLast} />}
      </ConfirmDialog>
    </>
  );
}
