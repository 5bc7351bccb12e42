'use client';
import type { ApiKey } from '@gantry/contracts';
import { TimeAgo } from '@/components/page/time-ago';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { toast } from '@/components/ui/toast';
import { useRevokeKey } from '@/data/keys/mutations';
import { t } from '@/strings';

const text = t.access.keys;

export function RevokeKey({ tenant, apiKey, onClose }: { tenant: string; apiKey: ApiKey; onClose: () => void }) {
  const revoke = useRevokeKey(tenant);
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={text.revokeTitle(apiKey.name)}
      action={text.revokeButton}
      onConfirm={async () => {
        await revoke.mutateAsync(apiKey.id);
        toast({ text: text.revoked1(apiKey.name) });
      }}
    >
      <p>{text.revokeText}</p>
      <p className="text-muted">
        {apiKey.lastUsedAt ? (
          <>
            {text.revokeUsed} <TimeAgo at={apiKey.lastUsedAt} />
          </>
        ) : (
          text.revokeUnused
        )}
      </p>
    </ConfirmDialog>
  );
}
