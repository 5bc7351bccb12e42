import type { MaybePromise } from '@gantry/mcp-core';

/** What whoever wants to announce a revision is told. */
export type Claim =
  /** It has been announced, or a later one. */
  | { readonly kind: 'announced' }
  /** Somebody else does so; to be asked again when their claim has lapsed. */
  | { readonly kind: 'taken'; readonly leftMs: number }
  /** It is the holder's to announce what has changed since `since`, the last that was announced, if that is known. */
  | { readonly kind: 'yours'; readonly since: number | undefined };

/** A claim lapses so long after it was made, or made again by its holder. */
export const CLAIM_MS = 5_000;

/**
 * Up to which revision of each server its sessions have heard what changed. Of the nodes that learn of a revision, one
 * announces it; when that one dies over it, another does so again.
 */
export interface AnnouncedRevisions {
  /** @param holder who asks; one that holds the claim already keeps it for `CLAIM_MS` more */
  claim(server: string, revision: number, holder: string): MaybePromise<Claim>;
  /** All have heard; the claim is given back. */
  announced(server: string, revision: number, holder: string): MaybePromise<void>;
}
