'use client';
import { useState } from 'react';
import { setSingleKeys, singleKeysEnabled } from '@/components/shell/hotkeys';
import { DialogContent, DialogRoot } from '@/components/ui/dialog';
import { CheckField } from '@/components/ui/input';
import { Kbd } from '@/components/ui/kbd';
import { t } from '@/strings';

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const [single, setSingle] = useState(singleKeysEnabled);
  return (
    <DialogRoot open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t.shell.shortcuts.title} width="max-w-md">
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1.5 text-sm">
          {t.shell.shortcuts.rows.map(([keys, what]) => (
            <div key={keys} className="contents">
              <dt className="flex gap-1">
                {keys.split(/\s+/).map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <CheckField
          className="mt-4 border-t pt-4"
          label={t.shell.shortcuts.single}
          hint={t.shell.shortcuts.singleHint}
          checked={single}
          onChange={(event) => {
            setSingle(event.target.checked);
            setSingleKeys(event.target.checked);
          }}
        />
      </DialogContent>
    </DialogRoot>
  );
}
