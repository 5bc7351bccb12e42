import type { Clock } from '../ports/clock.js';
import type { IdGenerator } from '../ports/id-generator.js';
import type { Outcome } from '../ports/meter.js';
import { type MCPTransportError, ProtocolFault } from './errors.js';
import { type Link, sendFailure } from './link.js';
import {
  type JsonRpcResponse,
  notificationMessage,
  type Params,
  type RequestId,
  requestKey,
  requestMessage,
} from './messages.js';
import { type CallOwner, cancelledBy, OutgoingCall, type RequestOptions } from './outgoing-call.js';
import {
  InMemoryPendingRequests,
  type PendingRequests,
  type ProgressToken,
  progressTokenOf,
  withProgressToken,
} from './pending-requests.js';

/** The half of a dispatcher that asks: ids, waiting requests, progress tokens and answers. */
export class OutgoingRequests implements CallOwner {
  readonly #pending: PendingRequests;
  readonly #calls = new Set<OutgoingCall>();
  #lastId = 0;

  /**
   * @param pending shared with other dispatchers of the session; then ids are made unique by `dispatcherId`
   * @param ids where ids come from instead of counting
   */
  constructor(
    private readonly link: Link,
    private readonly dispatcherId: string,
    private readonly ids: IdGenerator | undefined,
    private readonly sharedPending: PendingRequests | undefined,
  ) {
    this.#pending = sharedPending ?? new InMemoryPendingRequests();
  }

  get clock(): Clock {
    return this.link.clock;
  }

  request(method: string, params: Params | undefined, options: RequestOptions): Promise<unknown> {
    const { link } = this;
    if (link.closed !== undefined) return Promise.reject(link.closed);
    if (options.signal?.aborted) return Promise.reject(cancelledBy(options.signal));
    return new Promise((resolve, reject) => {
      const id = this.#nextId();
      const call = new OutgoingCall(this, id, requestKey(id), method, options, link.startedAt(), resolve, reject);
      this.#calls.add(call);
      this.#pending.add(call.key, call);
      const sent = this.#withToken(call, params);
      call.arm();
      const related = options.relatedRequestId;
      link.send(
        requestMessage(id, method, sent),
        related === undefined ? undefined : { relatedRequestId: related },
        (error) => {
          const failure = sendFailure(method, error);
          call.fail(failure, failure.reason === 'TRANSPORT_CLOSED' ? 'closed' : 'error');
        },
      );
    });
  }

  answer(response: JsonRpcResponse): void {
    const { id } = response;
    if (id === undefined || id === null) {
      const words = 'error' in response ? `${response.error.code} ${response.error.message}` : 'no error given';
      this.link.onProtocolError(new ProtocolFault('ERROR_WITHOUT_ID', `Error reply without id: ${words}`, response));
      return;
    }
    const key = requestKey(id);
    const request = this.#pending.take(key);
    if (request !== undefined) request.settle(response);
    else if (!this.#pending.expectsLateAnswer(key)) {
      const words = `Answer to no pending request: ${JSON.stringify(id)}`;
      this.link.onProtocolError(new ProtocolFault('UNKNOWN_RESPONSE', words, response));
    }
  }

  progress(params: Params | undefined): void {
    const token = params?.progressToken;
    if (typeof token !== 'string' && typeof token !== 'number') return;
    this.#pending.findByToken(requestKey(token))?.progress(params as Params);
  }

  setProgressToken(method: string, token: ProgressToken): boolean {
    const newest = [...this.#calls].findLast((call) => call.method === method);
    if (newest === undefined) return false;
    this.#tie(newest, token);
    return true;
  }

  closeAll(reason: MCPTransportError): void {
    for (const call of [...this.#calls]) call.fail(reason, 'closed');
  }

  callEnded(call: OutgoingCall, outcome: Outcome): void {
    this.#calls.delete(call);
    for (const token of call.tokens) this.#pending.untie(token, call);
    // Answered ones were taken out already; of the others, only those the other side may still answer are remembered.
    if (outcome === 'cancelled' || outcome === 'timeout') this.#pending.abandon(call.key);
    else this.#pending.take(call.key);
    this.link.recordRequest(call.method, 'out', outcome, call.startedAt);
  }

  callGivenUp(call: OutgoingCall, reason: string): void {
    if (call.options.notifyCancel === false || this.link.closed !== undefined) return;
    const related = call.options.relatedRequestId;
    this.link.recordNotification('notifications/cancelled', 'out');
    this.link.post(
      notificationMessage('notifications/cancelled', { requestId: call.id, reason }),
      related === undefined ? undefined : { relatedRequestId: related },
    );
  }

  progressFailed(call: OutgoingCall, error: unknown): void {
    this.link.onHandlerError(error, call.method);
  }

  #withToken(call: OutgoingCall, params: Params | undefined): Params | undefined {
    const given = progressTokenOf(params);
    if (given !== undefined) this.#tie(call, given);
    else if (call.options.onProgress !== undefined) {
      this.#tie(call, call.id);
      return withProgressToken(params, call.id);
    }
    return params;
  }

  #tie(call: OutgoingCall, token: ProgressToken): void {
    const key = requestKey(token);
    call.tokens.push(key);
    this.#pending.tie(key, call);
  }

  #nextId(): RequestId {
    if (this.ids !== undefined) return this.ids.next();
    const count = ++this.#lastId;
    return this.sharedPending === undefined ? count : `${this.dispatcherId}-${count}`;
  }
}
