/** An edit that was not saved yet, kept in this browser so that a reload loses nothing. */
export interface StoredDraft<D> {
  document: D;
  /** Version the edit began from. */
  etag?: string;
}

const keyOf = (name: string) => `gantry.draft:${name}`;

/** The kept draft; undefined if there is none or storage is closed to us. */
export function readDraft<D>(name: string): StoredDraft<D> | undefined {
  try {
    const text = localStorage.getItem(keyOf(name));
    return text ? (JSON.parse(text) as StoredDraft<D>) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a draft, or with undefined forgets it. Without storage the draft lives as long as the page. */
export function writeDraft<D>(name: string, draft: StoredDraft<D> | undefined): void {
  try {
    if (draft) localStorage.setItem(keyOf(name), JSON.stringify(draft));
    else localStorage.removeItem(keyOf(name));
  } catch {
    // Full or forbidden storage: nothing to do about it here.
  }
}
