import type { LogLevel } from '../protocol/types.js';

/** The lists a server has, as `notifications/{kind}/list_changed` names them. */
export type ListKind = 'tools' | 'prompts' | 'resources';

/** Something clients of one hosted server may want to know. `server` is an opaque key chosen by the host. */
export type ServerChange =
  | { readonly kind: 'list'; readonly list: ListKind }
  | { readonly kind: 'resource'; readonly uri: string }
  /** Status, message or questions of a job changed; who cares reads it. */
  | { readonly kind: 'task'; readonly id: string }
  /** A log message to every session whose level it passes; stateless clients have no place for one. */
  | { readonly kind: 'message'; readonly level: LogLevel; readonly logger?: string; readonly data: unknown };

/**
 * Carries changes of hosted servers to every stream that listens for them.
 * Delivery is at least once and in order per server; subscribers get nothing from before they subscribed.
 */
export interface ChangeBus {
  publish(server: string, change: ServerChange): void;
  /**
   * Returns the function that ends the subscription; it may be called twice. A throwing listener hurts no other.
   * @param missed told when changes may have been lost on the way: whatever the listener cares for may have changed
   */
  subscribe(server: string, listener: (change: ServerChange) => void, missed?: () => void): () => void;
}
