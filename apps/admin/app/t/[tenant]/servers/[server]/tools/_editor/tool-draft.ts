'use client';
import type { ToolDocument } from '@gantry/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSaveTool } from '@/data/tools/mutations';
import { toolQuery } from '@/data/tools/queries';
import { type Draft, type DraftBase, type DraftStore, useDraft } from '@/lib/drafts/use-draft';
import { pruned } from '@/lib/tool-document';

export type ToolBase = DraftBase<ToolDocument>;
export type ToolDraft = Draft<ToolDocument>;

interface ToolDraftOptions {
  tenant: string;
  server: string;
  draftName: string;
  base: ToolBase;
}

/** A tool being edited. */
export function useToolDraft({ tenant, server, draftName, base }: ToolDraftOptions): ToolDraft {
  const client = useQueryClient();
  const { mutateAsync } = useSaveTool(tenant, server);
  const store = useMemo<DraftStore<ToolDocument>>(
    () => ({
      save: async (document, storedName, etag) => {
        const { data } = await mutateAsync({ document: pruned(document), storedName, etag });
        return { id: data.tool.name, revision: data.revision, warnings: data.warnings };
      },
      read: (name) => client.fetchQuery({ ...toolQuery(tenant, server, name), staleTime: 0 }),
    }),
    [client, mutateAsync, tenant, server],
  );
  return useDraft({ draftName: `${tenant}/${server}/${draftName}`, base, store });
}
