import { type RequestId, requestKey } from '../jsonrpc/messages.js';

interface Running {
  readonly node: string;
  readonly request: RequestId;
}

/** Which requests of a session run on which other nodes, as far as these have said so. */
export class RunningElsewhere {
  #requests: Map<string, Running> | undefined;

  /** @param over the request has been answered, or ended without an answer */
  tell(node: string, request: RequestId, over: boolean): void {
    this.#requests ??= new Map();
    if (over) this.#requests.delete(requestKey(request));
    else this.#requests.set(requestKey(request), { node, request });
  }

  /** The requests that a node ran; they are forgotten. */
  take(node: string): RequestId[] {
    const lost = [...(this.#requests ?? [])].filter(([, running]) => running.node === node);
    for (const [key] of lost) this.#requests?.delete(key);
    return lost.map(([, { request }]) => request);
  }
}
