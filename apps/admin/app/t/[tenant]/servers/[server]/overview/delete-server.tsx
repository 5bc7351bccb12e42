'use client';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { toast } from '@/components/ui/toast';
import { useDeleteServer } from '@/data/servers/mutations';
import { t } from '@/strings';

const text = t.servers.server;

export function DeleteServer({
  tenant,
  server,
  name,
  tools,
}: {
  tenant: string;
  server: string;
  name: string;
  tools: number;
}) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const remove = useDeleteServer(tenant, server);
  return (
    <section className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-danger-line px-4 py-3">
      <div className="min-w-0">
        <h2 className="font-semibold text-sm">{text.danger}</h2>
        <p className="max-w-2xl text-muted text-xs">{text.deleteText(tools)}</p>
      </div>
      <Button variant="danger-quiet" onClick={() => setOpen(true)}>
        {text.delete}
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={text.deleteTitle(name)}
        action={text.delete}
        typed={server}
        onConfirm={async () => {
          await remove.mutateAsync();
          toast({ text: text.deleted(name) });
          router.push(`/t/${tenant}/servers`);
        }}
      >
        <p>{text.deleteText(tools)}</p>
      </ConfirmDialog>
    </section>
  );
}
