'use client';
import type { SessionDetail } from '@gantry/contracts';
import { useState } from 'react';
import { clientName } from '@/components/sessions/session-model';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { useEndSession } from '@/data/sessions/mutations';
import { t } from '@/strings';
import type { Ended } from './end-result';

const text = t.sessions.detail;

interface EndSessionProps {
  tenant: string;
  session: SessionDetail;
  onEnded: (result: Ended) => void;
}

/** Ends the session on whatever nodes hold it, after a confirmation that names what that costs. */
export function EndSession({ tenant, session, onEnded }: EndSessionProps) {
  const [open, setOpen] = useState(false);
  const end = useEndSession(tenant);
  const name = clientName(session);
  const words = session.era === 'stateless' ? text.endOpen : text.endOne;
  return (
    <>
      <Button variant="danger-quiet" onClick={() => setOpen(true)}>
        {words.action}
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={words.title(name)}
        action={words.button}
        onConfirm={async () => onEnded(await end.mutateAsync(session.id))}
      >
        <p>{words.text(session.inFlight, session.streams)}</p>
      </ConfirmDialog>
    </>
  );
}
