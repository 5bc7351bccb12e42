'use client';
import type { PointedMessage, ToolDocument } from '@gantry/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useSaveTool } from '@/data/tools/mutations';
import { toolPath, toolQuery } from '@/data/tools/queries';
import { type Answer, apiRequest } from '@/lib/api/client';
import { problemOf } from '@/lib/api/problem';
import { sameJson } from '@/lib/json';
import { setIn } from '@/lib/set-in';
import { pruned } from '@/lib/tool-document';
import { readDraft, writeDraft } from './draft-store';

export interface ToolBase {
  document: ToolDocument;
  etag?: string;
  /** The name it is stored under; absent while it is new. */
  storedName?: string;
}

interface DraftOptions {
  tenant: string;
  server: string;
  draftName: string;
  base: ToolBase;
}

/** How long after the last keystroke a draft is kept. */
const keepAfterMs = 300;

/** The document being edited, its kept draft, its save, and what the API said against it. */
export function useToolDraft({ tenant, server, draftName, base }: DraftOptions) {
  const client = useQueryClient();
  const save = useSaveTool(tenant, server);
  const [document, setDocument] = useState(base.document);
  const [etag, setEtag] = useState(base.etag);
  const [stored, setStored] = useState(base.document);
  const [restored, setRestored] = useState(false);
  const [warnings, setWarnings] = useState<PointedMessage[]>([]);
  const [theirs, setTheirs] = useState<Answer<ToolDocument>>();
  const dirty = !sameJson(document, stored);

  useEffect(() => {
    const kept = readDraft(tenant, server, draftName);
    if (!kept || sameJson(kept.document, base.document)) return;
    setDocument(kept.document);
    setEtag(kept.etag);
    setRestored(true);
  }, [tenant, server, draftName, base]);

  useEffect(() => {
    const timer = setTimeout(
      () => writeDraft(tenant, server, draftName, dirty ? { document, etag } : undefined),
      keepAfterMs,
    );
    return () => clearTimeout(timer);
  }, [tenant, server, draftName, dirty, document, etag]);

  const set = useCallback(
    (path: readonly string[], value: unknown) => setDocument((before) => setIn(before, path, value)),
    [],
  );

  function adopt(next: ToolDocument, nextEtag: string | undefined) {
    setDocument(next);
    setStored(next);
    setEtag(nextEtag);
    setTheirs(undefined);
    setRestored(false);
    save.reset();
  }

  /** Saves; gives the answer, or undefined when it was refused. A version clash fetches theirs to compare with. */
  async function submit(options: { over?: string } = {}) {
    setWarnings([]);
    setTheirs(undefined);
    try {
      const { data } = await save.mutateAsync({
        document: pruned(document),
        storedName: base.storedName,
        etag: options.over ?? etag,
      });
      writeDraft(tenant, server, draftName, undefined);
      // A write tells no version; reading it back does, so that the next save cannot run over somebody else's.
      const query = toolQuery(tenant, server, data.tool.name);
      const fresh = await client
        .fetchQuery({ ...query, staleTime: 0 })
        .catch(() => ({ data: data.tool, etag: undefined }));
      setDocument(fresh.data);
      setStored(fresh.data);
      setEtag(fresh.etag);
      setRestored(false);
      setWarnings(data.warnings);
      return data;
    } catch (error) {
      const { status } = problemOf(error);
      if (base.storedName !== undefined && etag !== undefined && (status === 409 || status === 412)) {
        const path = toolPath(tenant, server, base.storedName);
        const fresh = await apiRequest<ToolDocument>('GET', path).catch(() => undefined);
        // The same version means another conflict, such as a name that is taken: the problem itself says which.
        if (fresh && fresh.etag !== (options.over ?? etag)) setTheirs(fresh);
      }
      return undefined;
    }
  }

  return {
    document,
    set,
    replace: setDocument,
    dirty,
    restored,
    discard: () => adopt(base.document, base.etag),
    submit,
    saving: save.isPending,
    error: save.error,
    errors: save.error ? (problemOf(save.error).errors ?? []) : [],
    warnings,
    theirs,
    takeTheirs: () => theirs && adopt(theirs.data, theirs.etag),
  };
}

export type ToolDraft = ReturnType<typeof useToolDraft>;
