import type { Subkey } from './master-keys.js';
import { SealError, Sealer } from './sealer.js';

/** Tells a playground token from a key, from a console session and from the admin token. */
export const PLAYGROUND_TOKEN_PREFIX = 'gtp_';

/** What a playground token grants: one server of one tenant, in somebody's name, for a time. */
export interface PlaygroundGrant {
  readonly tenantId: string;
  readonly serverId: string;
  readonly holder: { readonly kind: 'user' | 'automation'; readonly id: string };
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

// Prefix, the id of the key that sealed it, and the sealed grant in base64url.
const SHAPE = new RegExp(`^${PLAYGROUND_TOKEN_PREFIX}([0-9a-f]{12})_([A-Za-z0-9_-]{40,600})$`);
const PLACE = ['playground-token'];

/**
 * Tokens that hold their grant themselves, sealed under a key of their own: no row is kept of them, any node with the
 * same master key takes them, and nothing but the end of their time takes one back.
 */
export class PlaygroundTokens {
  private readonly sealer: Sealer;

  /** @param subkey of the purpose `playground` */
  constructor(subkey: Subkey) {
    this.sealer = new Sealer(subkey);
  }

  mint({ tenantId, serverId, holder, expiresAt }: PlaygroundGrant): string {
    const sealed = this.sealer.seal(JSON.stringify([tenantId, serverId, holder.kind, holder.id, expiresAt]), PLACE);
    return `${PLAYGROUND_TOKEN_PREFIX}${this.sealer.keyId}_${Buffer.from(sealed).toString('base64url')}`;
  }

  /** The grant of a token of ours whose time is not over at `now`; undefined for anything else. */
  open(token: string, now: number): PlaygroundGrant | undefined {
    const [, keyId, text] = SHAPE.exec(token) ?? [];
    if (keyId === undefined || text === undefined) return undefined;
    const sealed = Buffer.from(text, 'base64url');
    // Other spellings of the same bytes are not what was given out.
    if (sealed.toString('base64url') !== text) return undefined;
    const grant = this.unseal(sealed, keyId);
    return grant !== undefined && grant.expiresAt > now ? grant : undefined;
  }

  private unseal(sealed: Uint8Array, keyId: string): PlaygroundGrant | undefined {
    try {
      const [tenantId, serverId, kind, id, expiresAt] = JSON.parse(this.sealer.open(sealed, keyId, PLACE).toString());
      return { tenantId, serverId, holder: { kind, id }, expiresAt };
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  }
}
