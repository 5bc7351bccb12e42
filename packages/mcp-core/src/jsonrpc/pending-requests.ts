import type { JsonRpcResponse, Params, RequestId } from './messages.js';

/** A string or a number (also 0), given back as it came. */
export type ProgressToken = string | number;

/** A request of ours that waits for its answer. */
export interface PendingRequest {
  /** Settles the request; every timer and listener behind it is let go. */
  settle(response: JsonRpcResponse): void;
  /** Params of a progress notification that names one of its tokens. */
  progress(params: Params): void;
}

/**
 * Outgoing requests by `requestKey(id)`. Shared by all connections of a session, an answer settles its request
 * whichever connection it is posted to. Keys of ids and of tokens are made with `requestKey`.
 */
export interface PendingRequests {
  add(key: string, request: PendingRequest): void;
  /** The request with that id, which is pending no longer. */
  take(key: string): PendingRequest | undefined;
  /** Lets go of a request nobody waits for any more; one late answer to it is expected. */
  abandon(key: string): void;
  /** Whether that id was abandoned and its one late answer has not come yet; asking uses it up. */
  expectsLateAnswer(key: string): boolean;
  /** Ties a progress token to a request; the newest tie of a token counts. */
  tie(token: string, request: PendingRequest): void;
  /** Ends the tie, if it is still that request's. */
  untie(token: string, request: PendingRequest): void;
  findByToken(token: string): PendingRequest | undefined;
}

/** How many abandoned ids are remembered, so that their late answers make no noise. */
const REMEMBERED = 1000;

/** Pending requests of one process; they end with it. */
export class InMemoryPendingRequests implements PendingRequests {
  readonly #requests = new Map<string, PendingRequest>();
  #tokens: Map<string, PendingRequest> | undefined;
  #abandoned: Set<string> | undefined;

  /** Requests that wait now. */
  get size(): number {
    return this.#requests.size;
  }

  has(key: string): boolean {
    return this.#requests.has(key);
  }

  add(key: string, request: PendingRequest): void {
    this.#requests.set(key, request);
  }

  take(key: string): PendingRequest | undefined {
    const request = this.#requests.get(key);
    if (request !== undefined) this.#requests.delete(key);
    return request;
  }

  abandon(key: string): void {
    if (!this.#requests.delete(key)) return;
    this.#abandoned ??= new Set();
    this.#abandoned.add(key);
    if (this.#abandoned.size > REMEMBERED) this.#abandoned.delete(this.#abandoned.values().next().value as string);
  }

  expectsLateAnswer(key: string): boolean {
    return this.#abandoned?.delete(key) ?? false;
  }

  tie(token: string, request: PendingRequest): void {
    this.#tokens ??= new Map();
    this.#tokens.set(token, request);
  }

  untie(token: string, request: PendingRequest): void {
    if (this.#tokens?.get(token) === request) this.#tokens.delete(token);
  }

  findByToken(token: string): PendingRequest | undefined {
    return this.#tokens?.get(token);
  }
}

/** The token a request carries in `params._meta.progressToken`, if it carries one. */
export function progressTokenOf(params: Params | undefined): ProgressToken | undefined {
  const meta = params?._meta;
  if (typeof meta !== 'object' || meta === null) return undefined;
  const token = (meta as Params).progressToken;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** The same params with a token in `_meta`. */
export function withProgressToken(params: Params | undefined, token: RequestId): Params {
  return { ...params, _meta: { ...(params?._meta as Params | undefined), progressToken: token } };
}
