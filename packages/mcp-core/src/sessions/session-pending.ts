import type { JsonRpcResponse } from '../jsonrpc/messages.js';
import { InMemoryPendingRequests, type PendingRequest, type PendingRequests } from '../jsonrpc/pending-requests.js';
import type { IdGenerator } from '../ports/id-generator.js';

/** Ids that lead to no node are not looked into further. */
const ID_LENGTH = 256;

/** Ids of questions: each names the node that asks, so that an answer on any node finds its way. */
export function questionIds(nodeId: string, ids: IdGenerator): IdGenerator {
  return { next: () => `${nodeId}.${ids.next()}` };
}

/**
 * Questions of one session that this node waits for. An answer to a question of another node is told to that node,
 * where it settles the question or, if there is none, nothing.
 */
export class SessionPending implements PendingRequests {
  #questions: InMemoryPendingRequests | undefined;

  constructor(
    private readonly nodeId: string,
    private readonly tell: (node: string, response: JsonRpcResponse) => void,
  ) {}

  /** Whether this node waits for the answer. */
  waits(key: string): boolean {
    return this.#questions?.has(key) ?? false;
  }

  add(key: string, request: PendingRequest): void {
    this.#here.add(key, request);
  }

  take(key: string): PendingRequest | undefined {
    return this.#questions?.take(key) ?? this.#elsewhere(key);
  }

  abandon(key: string): void {
    this.#here.abandon(key);
  }

  expectsLateAnswer(key: string): boolean {
    return this.#questions?.expectsLateAnswer(key) ?? false;
  }

  tie(token: string, request: PendingRequest): void {
    this.#here.tie(token, request);
  }

  untie(token: string, request: PendingRequest): void {
    this.#questions?.untie(token, request);
  }

  findByToken(token: string): PendingRequest | undefined {
    return this.#questions?.findByToken(token);
  }

  /** An answer that another node has told. One that answers nothing is late or foreign, and harmless. */
  settleHere(key: string, response: JsonRpcResponse): void {
    this.#questions?.take(key)?.settle(response);
  }

  get #here(): InMemoryPendingRequests {
    this.#questions ??= new InMemoryPendingRequests();
    return this.#questions;
  }

  #elsewhere(key: string): PendingRequest | undefined {
    const node = nodeOf(key);
    if (node === undefined || node === this.nodeId) return undefined;
    return { settle: (response) => this.tell(node, response), progress: () => {} };
  }
}

/** The node that a question's key names. */
function nodeOf(key: string): string | undefined {
  const end = key.lastIndexOf('.');
  return key.startsWith('s') && end > 1 && key.length <= ID_LENGTH ? key.slice(1, end) : undefined;
}
