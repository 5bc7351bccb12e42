'use client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { QueryPanel } from '@/components/page/query-panel';
import { toolQuery } from '@/data/tools/queries';
import { ToolEditor } from './tool-editor';

export function EditTool({ tenant, server, tool }: { tenant: string; server: string; tool: string }) {
  // An editor keeps what it was opened with: a refetch in the background must not move the text under the hands.
  const query = useQuery({ ...toolQuery(tenant, server, tool), staleTime: Number.POSITIVE_INFINITY });
  const stored = query.data;
  const base = useMemo(() => stored && { document: stored.data, etag: stored.etag, storedId: tool }, [stored, tool]);
  return (
    <QueryPanel query={query}>
      {() => base && <ToolEditor tenant={tenant} server={server} base={base} draftName={tool} />}
    </QueryPanel>
  );
}
