'use client';
import type { CreatedKey } from '@gantry/contracts';
import { useState } from 'react';
import { KeyOnce, useLeaveWarning } from '@/components/keys/key-once';
import { Button } from '@/components/ui/button';
import { DialogContent, DialogFooter, DialogRoot } from '@/components/ui/dialog';
import { CheckField } from '@/components/ui/input';
import { t } from '@/strings';

const text = t.access.keys.once;

/** Shows a new key until its reader says that it is stored; leaving earlier is warned of. */
export function KeyOnceDialog({
  created,
  rotated,
  onDone,
}: {
  created: CreatedKey;
  rotated: boolean;
  onDone: () => void;
}) {
  const [stored, setStored] = useState(false);
  useLeaveWarning(!stored);
  return (
    <DialogRoot open onOpenChange={(open) => !open && stored && onDone()}>
      <DialogContent title={rotated ? text.rotatedTitle : text.title} description={text.text} dismissable={false}>
        <div className="flex flex-col gap-4">
          <KeyOnce value={created.key} name={created.name} />
          <CheckField label={text.stored} checked={stored} onChange={(event) => setStored(event.target.checked)} />
        </div>
        <DialogFooter>
          <Button variant="primary" disabled={!stored} onClick={onDone} title={stored ? undefined : text.leaveTitle}>
            {text.done}
          </Button>
        </DialogFooter>
      </DialogContent>
    </DialogRoot>
  );
}
