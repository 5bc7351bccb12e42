'use client';
import { Ellipsis } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { PageHeader } from '@/components/page/page-header';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Kbd } from '@/components/ui/kbd';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/menu';
import { toast } from '@/components/ui/toast';
import { useDeleteTool } from '@/data/tools/mutations';
import { toolPath } from '@/data/tools/queries';
import { curlOf } from '@/lib/curl';
import { pruned } from '@/lib/tool-document';
import { t } from '@/strings';
import { writeDraft } from './draft-store';
import type { ToolDraft } from './use-tool-draft';

const text = t.tools.editor;

interface EditorHeaderProps {
  tenant: string;
  server: string;
  draft: ToolDraft;
  storedName: string | undefined;
  mayWrite: boolean;
  autoPublish: boolean;
  facts: ReactNode;
  onSave: () => void;
}

export function EditorHeader({
  tenant,
  server,
  draft,
  storedName,
  mayWrite,
  autoPublish,
  facts,
  onSave,
}: EditorHeaderProps) {
  const router = useRouter();
  const remove = useDeleteTool(tenant, server);
  const [deleting, setDeleting] = useState(false);
  const label = storedName === undefined ? text.create : autoPublish ? text.save : text.saveDraft;

  async function copyCall() {
    const [method, path] =
      storedName === undefined
        ? (['POST', toolPath(tenant, server)] as const)
        : (['PUT', toolPath(tenant, server, storedName)] as const);
    try {
      await navigator.clipboard.writeText(curlOf(method, path, pruned(draft.document)));
      toast({ text: t.common.copied });
    } catch {
      toast({ tone: 'warn', text: t.common.copyFailed });
    }
  }

  return (
    <>
      <PageHeader
        title={storedName ? <span className="font-mono text-lg">{storedName}</span> : text.newTitle}
        facts={facts}
        actions={
          <>
            <Menu>
              <MenuTrigger asChild>
                <Button variant="ghost" size="icon" aria-label={text.more}>
                  <Ellipsis />
                </Button>
              </MenuTrigger>
              <MenuContent align="end">
                <MenuItem onSelect={copyCall}>{t.common.copyAsApi}</MenuItem>
                {storedName && mayWrite && (
                  <MenuItem danger onSelect={() => setDeleting(true)}>
                    {text.delete}
                  </MenuItem>
                )}
              </MenuContent>
            </Menu>
            {mayWrite && (
              <Button
                variant="primary"
                disabled={draft.saving || (storedName !== undefined && !draft.dirty)}
                onClick={onSave}
              >
                {draft.saving ? text.saving : label}
                <span
                  className="hidden sm:inline [&_kbd]:border-white/30 [&_kbd]:bg-transparent [&_kbd]:text-on-accent"
                  aria-hidden
                >
                  <Kbd>Ctrl S</Kbd>
                </span>
              </Button>
            )}
          </>
        }
      />
      {storedName && (
        <ConfirmDialog
          open={deleting}
          onOpenChange={setDeleting}
          title={text.deleteTitle(storedName)}
          action={text.delete}
          onConfirm={async () => {
            await remove.mutateAsync(storedName);
            writeDraft(tenant, server, storedName, undefined);
            toast({ text: text.deleted(storedName) });
            router.push(`/t/${tenant}/servers/${server}/tools`);
          }}
        >
          <p>{text.deleteText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
