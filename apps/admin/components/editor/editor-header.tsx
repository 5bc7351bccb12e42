'use client';
import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { PageHeader } from '@/components/page/page-header';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Kbd } from '@/components/ui/kbd';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/menu';
import { toast } from '@/components/ui/toast';
import { t } from '@/strings';
import type { EditorWords } from './words';

const text = t.editor;

interface EditorHeaderProps {
  words: EditorWords;
  storedId: string | undefined;
  /** There is something to save. */
  dirty: boolean;
  saving: boolean;
  mayWrite: boolean;
  autoPublish: boolean;
  facts: ReactNode;
  /** The save as a shell line. */
  curl: () => string;
  onSave: () => void;
  onDelete: (id: string) => Promise<void>;
}

/** Title, save, and what else can be done with the item. */
export function EditorHeader(props: EditorHeaderProps) {
  const { words, storedId, dirty, saving, mayWrite, autoPublish, facts, curl, onSave, onDelete } = props;
  const [deleting, setDeleting] = useState(false);
  const label = storedId === undefined ? words.create : autoPublish ? text.save : text.saveDraft;

  async function copyCall() {
    try {
      await navigator.clipboard.writeText(curl());
      toast({ text: t.common.copied });
    } catch {
      toast({ tone: 'warn', text: t.common.copyFailed });
    }
  }

  return (
    <>
      <PageHeader
        title={storedId ? <span className="break-all font-mono text-lg">{storedId}</span> : words.newTitle}
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
                {storedId && mayWrite && (
                  <MenuItem danger onSelect={() => setDeleting(true)}>
                    {words.delete}
                  </MenuItem>
                )}
              </MenuContent>
            </Menu>
            {mayWrite && (
              <Button variant="primary" disabled={saving || (storedId !== undefined && !dirty)} onClick={onSave}>
                {saving ? text.saving : label}
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
      {storedId && (
        <ConfirmDialog
          open={deleting}
          onOpenChange={setDeleting}
          title={words.deleteTitle(storedId)}
          action={words.delete}
          onConfirm={async () => {
            await onDelete(storedId);
            toast({ text: words.deleted(storedId) });
          }}
        >
          <p>{words.deleteText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
