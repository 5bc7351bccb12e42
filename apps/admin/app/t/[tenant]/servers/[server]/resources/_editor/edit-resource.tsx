'use client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { QueryPanel } from '@/components/page/query-panel';
import { resourceNoun, templateNoun } from '@/data/resources/resources';
import { type ItemNoun, itemQuery } from '@/data/servers/items';
import type { DraftBase } from '@/lib/drafts/use-draft';
import { type ResourceKind, starterResource, starterTemplate, type templateKinds } from '@/lib/resource-document';
import { ResourceEditor } from './resource-editor';
import { TemplateEditor } from './template-editor';

interface Place {
  tenant: string;
  server: string;
}

export function NewResource({ kind, ...place }: Place & { kind: ResourceKind }) {
  const base = useMemo(() => ({ document: starterResource(kind) }), [kind]);
  return <ResourceEditor {...place} base={base} draftName={`+${kind}`} />;
}

export function NewTemplate({ kind, ...place }: Place & { kind: (typeof templateKinds)[number] }) {
  const base = useMemo(() => ({ document: starterTemplate(kind) }), [kind]);
  return <TemplateEditor {...place} base={base} draftName={`+${kind}`} />;
}

export function EditResource({ uri, ...place }: Place & { uri: string }) {
  const { query, base } = useStored(resourceNoun, place, uri);
  return (
    <QueryPanel query={query}>{() => base && <ResourceEditor {...place} base={base} draftName={uri} />}</QueryPanel>
  );
}

export function EditTemplate({ uri, ...place }: Place & { uri: string }) {
  const { query, base } = useStored(templateNoun, place, uri);
  return (
    <QueryPanel query={query}>{() => base && <TemplateEditor {...place} base={base} draftName={uri} />}</QueryPanel>
  );
}

function useStored<D>(noun: ItemNoun<D>, { tenant, server }: Place, uri: string) {
  // An editor keeps what it was opened with: a refetch in the background must not move the text under the hands.
  const query = useQuery({ ...itemQuery(noun, tenant, server, uri), staleTime: Number.POSITIVE_INFINITY });
  const stored = query.data;
  const base = useMemo<DraftBase<D> | undefined>(
    () => stored && { document: stored.data, etag: stored.etag, storedId: uri },
    [stored, uri],
  );
  return { query, base };
}
