'use client';
import type { PointedMessage } from '@gantry/contracts';
import { useCallback, useEffect, useState } from 'react';
import type { Answer } from '@/lib/api/client';
import { problemOf } from '@/lib/api/problem';
import { sameJson } from '@/lib/json';
import { setIn } from '@/lib/set-in';
import { readDraft, writeDraft } from './draft-store';

export interface DraftBase<D> {
  document: D;
  etag?: string;
  /** What it is stored under (name, URI, template); absent while it is new. */
  storedId?: string;
}

export interface Saved {
  /** What it is stored under now. */
  id: string;
  revision: number;
  warnings: PointedMessage[];
}

/** How one kind of item is stored. */
export interface DraftStore<D> {
  /** Creates without `storedId`, replaces with it, only over the version `etag`. */
  save(document: D, storedId: string | undefined, etag: string | undefined): Promise<Saved>;
  read(id: string): Promise<Answer<D>>;
}

interface DraftOptions<D> {
  /** What the kept draft is filed under, among all of this browser. */
  draftName: string;
  base: DraftBase<D>;
  store: DraftStore<D>;
}

/** How long after the last keystroke a draft is kept. */
const keepAfterMs = 300;

/** The item being edited, its kept draft, its save, and what the API said against it. */
export function useDraft<D>({ draftName, base, store }: DraftOptions<D>) {
  const [document, setDocument] = useState(base.document);
  const [etag, setEtag] = useState(base.etag);
  const [stored, setStored] = useState(base.document);
  const [restored, setRestored] = useState(false);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  const [warnings, setWarnings] = useState<PointedMessage[]>([]);
  const [theirs, setTheirs] = useState<Answer<D>>();
  const dirty = !sameJson(document, stored);

  useEffect(() => {
    const kept = readDraft<D>(draftName);
    if (!kept || sameJson(kept.document, base.document)) return;
    setDocument(kept.document);
    setEtag(kept.etag);
    setRestored(true);
  }, [draftName, base]);

  useEffect(() => {
    const timer = setTimeout(() => writeDraft(draftName, dirty ? { document, etag } : undefined), keepAfterMs);
    return () => clearTimeout(timer);
  }, [draftName, dirty, document, etag]);

  const set = useCallback(
    (path: readonly string[], value: unknown) => setDocument((before) => setIn(before, path, value)),
    [],
  );

  function adopt(next: D, nextEtag: string | undefined) {
    setDocument(next);
    setStored(next);
    setEtag(nextEtag);
    setTheirs(undefined);
    setRestored(false);
    setError(undefined);
  }

  /** Saves; gives the answer, or undefined when it was refused. A version clash fetches theirs to compare with. */
  async function submit(options: { over?: string } = {}): Promise<Saved | undefined> {
    const version = options.over ?? etag;
    setWarnings([]);
    setTheirs(undefined);
    setError(undefined);
    setSaving(true);
    try {
      const saved = await store.save(document, base.storedId, version);
      writeDraft(draftName, undefined);
      // A write tells no version; reading it back does, so that the next save cannot run over somebody else's.
      const fresh = await store.read(saved.id).catch(() => ({ data: document, etag: undefined }));
      adopt(fresh.data, fresh.etag);
      setWarnings(saved.warnings);
      return saved;
    } catch (failure) {
      setError(failure);
      const { status } = problemOf(failure);
      if (base.storedId !== undefined && version !== undefined && (status === 409 || status === 412)) {
        const fresh = await store.read(base.storedId).catch(() => undefined);
        // The same version means another conflict, such as a name that is taken: the problem itself says which.
        if (fresh && fresh.etag !== version) setTheirs(fresh);
      }
      return undefined;
    } finally {
      setSaving(false);
    }
  }

  return {
    document,
    set,
    replace: setDocument,
    dirty,
    restored,
    discard: () => adopt(base.document, base.etag),
    /** Drops the kept draft, once what it is of is gone. */
    forget: () => writeDraft(draftName, undefined),
    submit,
    saving,
    error,
    errors: error ? (problemOf(error).errors ?? []) : [],
    warnings,
    theirs,
    takeTheirs: () => theirs && adopt(theirs.data, theirs.etag),
  };
}

export type Draft<D> = ReturnType<typeof useDraft<D>>;
