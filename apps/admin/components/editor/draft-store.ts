import type { ToolDocument } from '@gantry/contracts';

/** An edit that was not saved yet, kept in this browser so that a reload loses nothing. */
export interface StoredDraft {
  document: ToolDocument;
  /** Version the edit began from. */
  etag?: string;
}

const keyOf = (tenant: string, server: string, name: string) => `gantry.draft:${tenant}/${server}/${name}`;

/** The kept draft; undefined if there is none or storage is closed to us. */
export function readDraft(tenant: string, server: string, name: string): StoredDraft | undefined {
  try {
    const text = localStorage.getItem(keyOf(tenant, server, name));
    return text ? (JSON.parse(text) as StoredDraft) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a draft, or with undefined forgets it. Without storage the draft lives as long as the page. */
export function writeDraft(tenant: string, server: string, name: string, draft: StoredDraft | undefined): void {
  try {
    if (draft) localStorage.setItem(keyOf(tenant, server, name), JSON.stringify(draft));
    else localStorage.removeItem(keyOf(tenant, server, name));
  } catch {
    // Full or forbidden storage: nothing to do about it here.
  }
}
