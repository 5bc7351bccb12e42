import type { StateSealer } from '@gantry/mcp-core';
import { SealError, type Sealer } from '../infra/crypto/index.js';

/**
 * Seals what travels through clients between the rounds of a request, under a subkey of the master key: every node opens
 * what another sealed. The key's id stands in front, so that a value of another key is known for one.
 */
export class RequestStateSealer implements StateSealer {
  constructor(private readonly sealer: Sealer) {}

  seal(text: string, bound: string): string {
    return `${this.sealer.keyId}.${Buffer.from(this.sealer.seal(text, [bound])).toString('base64url')}`;
  }

  open(sealed: string, bound: string): string | undefined {
    const dot = sealed.indexOf('.');
    const encoded = sealed.slice(dot + 1);
    const bytes = Buffer.from(encoded, 'base64url');
    // What decodes to the same bytes although it was changed is not what was given out.
    if (dot === -1 || bytes.toString('base64url') !== encoded) return undefined;
    try {
      return this.sealer.open(bytes, sealed.slice(0, dot), [bound]).toString('utf8');
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  }
}
