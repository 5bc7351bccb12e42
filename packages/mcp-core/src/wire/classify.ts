import type { Incoming } from '../jsonrpc/codec.js';
import { isJsonObject, PROTOCOL_VERSION_KEY } from '../protocol/meta-keys.js';
import { namesModernRevision } from '../protocol/revisions.js';

/**
 * The era of one message. `envelope-missing`: the header promises a stateless request and the body is none.
 * The body decides; the header only speaks where the body is silent.
 */
export type MessageEra = 'modern' | 'legacy' | 'envelope-missing';

/** Told once for each message, from its body and its version header. */
export function classifyEra(
  incoming: Extract<Incoming, { kind: 'request' | 'notification' | 'response' }>,
  versionHeader: string | undefined,
): MessageEra {
  if (incoming.kind === 'response') return namesModernRevision(versionHeader) ? 'modern' : 'legacy';
  const meta = incoming.message.params?._meta;
  if (isJsonObject(meta) && meta[PROTOCOL_VERSION_KEY] !== undefined) return 'modern';
  if (!namesModernRevision(versionHeader)) return 'legacy';
  return incoming.kind === 'request' ? 'envelope-missing' : 'modern';
}
