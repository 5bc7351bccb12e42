import type { JsonRpcResponse, RequestId } from '../jsonrpc/messages.js';
import type { MaybePromise, SessionKey } from './session-store.js';

/** What one node has to tell another about a session. */
export type NodeMessage =
  /** The client gave up a request, which may run there or come there later. */
  | { readonly kind: 'cancel'; readonly session: SessionKey; readonly request: string; readonly reason?: string }
  /** The client answered a question that was asked there. */
  | { readonly kind: 'answer'; readonly session: SessionKey; readonly response: JsonRpcResponse }
  /** The client has said that it is ready for requests of ours. */
  | { readonly kind: 'initialized'; readonly session: SessionKey }
  /** To the node that holds the stream on which it is answered: a request runs on another node, or does so no more. */
  | {
      readonly kind: 'runs';
      readonly session: SessionKey;
      readonly node: string;
      readonly request: RequestId;
      readonly over: boolean;
    }
  /** The session is over: its work stops, its streams close. */
  | { readonly kind: 'end'; readonly session: SessionKey };

/**
 * Carries short messages between nodes. Delivery is at most once, and in order for each session and pair of nodes while
 * the way between them stays the same: a message is a bell, the truth is in the stores. What no store holds, cancels and
 * answers, can be asked for afterwards.
 */
export interface NodeBus {
  /** To one node; nothing happens when it is gone. */
  send(node: string, message: NodeMessage): void;
  /** To every other node. */
  broadcast(from: string, message: NodeMessage): void;
  /**
   * What is sent to a node. Returns the function that ends it; it may be called twice. A throwing listener hurts no other.
   * @param missed told when messages may have been lost on the way
   */
  listen(node: string, listener: (message: NodeMessage) => void, missed?: () => void): () => void;
  /**
   * Cancels and answers of the last minute that were sent to a node about a living session and that it has not been told,
   * by a message or by this.
   */
  kept(node: string, session: SessionKey): MaybePromise<readonly NodeMessage[]>;
}
