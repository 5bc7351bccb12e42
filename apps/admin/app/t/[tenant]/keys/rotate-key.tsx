'use client';
import type { ApiKey, CreatedKey } from '@gantry/contracts';
import { useState } from 'react';
import { ProblemCallout } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { DialogContent, DialogFooter, DialogRoot } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/input';
import { useRotateKey } from '@/data/keys/mutations';
import { t } from '@/strings';

const text = t.access.keys;

interface RotateKeyProps {
  tenant: string;
  apiKey: ApiKey;
  onClose: () => void;
  onRotated: (key: CreatedKey) => void;
}

export function RotateKey({ tenant, apiKey, onClose, onRotated }: RotateKeyProps) {
  const rotate = useRotateKey(tenant);
  const [overlapMs, setOverlapMs] = useState(86_400_000);

  async function submit() {
    const key = await rotate.mutateAsync({ id: apiKey.id, overlapMs }).catch(() => undefined);
    if (!key) return;
    onClose();
    onRotated(key);
  }

  return (
    <DialogRoot open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={text.rotateTitle(apiKey.name)} description={text.rotateText} width="max-w-md">
        <div className="flex flex-col gap-4">
          {rotate.error && <ProblemCallout error={rotate.error} />}
          <Field label={text.overlap}>
            {(control) => (
              <Select {...control} value={overlapMs} onChange={(event) => setOverlapMs(Number(event.target.value))}>
                {Object.entries(text.overlaps).map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <DialogFooter>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button variant="primary" disabled={rotate.isPending} onClick={submit}>
            {text.rotateButton}
          </Button>
        </DialogFooter>
      </DialogContent>
    </DialogRoot>
  );
}
