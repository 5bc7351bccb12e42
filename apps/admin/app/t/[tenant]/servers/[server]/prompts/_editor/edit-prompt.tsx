'use client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { QueryPanel } from '@/components/page/query-panel';
import { promptQuery } from '@/data/prompts/prompts';
import { type PromptKind, starterPrompt } from '@/lib/prompt-document';
import { PromptEditor } from './prompt-editor';

interface Place {
  tenant: string;
  server: string;
}

export function NewPrompt({ tenant, server, kind }: Place & { kind: PromptKind }) {
  const base = useMemo(() => ({ document: starterPrompt(kind) }), [kind]);
  return <PromptEditor tenant={tenant} server={server} base={base} draftName={`+${kind}`} />;
}

export function EditPrompt({ tenant, server, name }: Place & { name: string }) {
  // An editor keeps what it was opened with: a refetch in the background must not move the text under the hands.
  const query = useQuery({ ...promptQuery(tenant, server, name), staleTime: Number.POSITIVE_INFINITY });
  const stored = query.data;
  const base = useMemo(() => stored && { document: stored.data, etag: stored.etag, storedId: name }, [stored, name]);
  return (
    <QueryPanel query={query}>
      {() => base && <PromptEditor tenant={tenant} server={server} base={base} draftName={name} />}
    </QueryPanel>
  );
}
