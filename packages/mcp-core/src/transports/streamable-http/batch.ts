import type { HostContext } from '../../dispatch/host.js';
import type { PreparedServer } from '../../dispatch/prepared-server.js';
import { type Batch, readBatch } from '../../jsonrpc/codec.js';
import { MCP_CODES } from '../../jsonrpc/errors.js';
import { errorMessage, type JsonRpcMessage } from '../../jsonrpc/messages.js';
import type { Jobs } from '../../ports/jobs.js';
import type { MaybePromise } from '../../ports/session-store.js';
import { isJsonObject, PROTOCOL_VERSION_KEY } from '../../protocol/meta-keys.js';
import { namesModernRevision } from '../../protocol/revisions.js';
import type { LiveSession, RunningExchange } from '../../sessions/live-session.js';
import { type Acceptable, soleHeader } from '../../wire/http-headers.js';
import { negotiate } from '../../wire/revisions.js';
import type { HttpRequest, HttpResponder } from '../http-exchange.js';
import { answerClosing, answerError } from './answers.js';
import { BatchAnswer } from './batch-answer.js';
import { BatchedExchange } from './batched-exchange.js';
import type { Exchange } from './exchange.js';
import type { EndpointServices } from './services.js';
import { findSession } from './session-lookup.js';

/** One POST whose body is an array. */
export interface BatchPost {
  readonly request: HttpRequest;
  readonly responder: HttpResponder;
  readonly host: HostContext;
  readonly server: PreparedServer;
  readonly accepts: Acceptable;
  readonly versionHeader: string | undefined;
}

/** What becomes of one element, the same as of one POST. */
export interface Carrier {
  run(exchange: Exchange & RunningExchange, session: LiveSession, bytes?: number): void;
  /** Settled when what was said will be known whatever becomes of this node. */
  hear(message: JsonRpcMessage, session: LiveSession, jobs: Jobs | undefined, bytes?: number): MaybePromise<void>;
}

type Elements = ReturnType<typeof readBatch>;

/**
 * Takes arrays of messages (2025-03-26, transports; JSON-RPC 2.0 §6). They are legal in sessions of revisions that have
 * batches; anywhere else the whole is refused and nothing of it runs.
 */
export class BatchHandler {
  constructor(
    private readonly services: EndpointServices,
    private readonly carrier: Carrier,
  ) {}

  handle(post: BatchPost, batch: Batch): void | Promise<void> {
    const { request, responder, host, server, versionHeader } = post;
    const sessionId = soleHeader(request.headers, 'mcp-session-id');
    const { settings } = server.snapshot;
    const modern = namesModernRevision(versionHeader) || batch.items.some(isModern);
    if (sessionId === undefined || modern || !settings.legacy || !settings.sessions) {
      return refuse(responder, 'a batch needs a session of a revision that has batches');
    }
    const elements = readBatch(batch);
    const fault = faultOf(elements, this.services.limits.batchLength);
    if (fault !== undefined) return refuse(responder, fault);
    const found = this.services.sessions.find({ server: host.server, owner: host.owner, id: sessionId }, settings);
    if (!(found instanceof Promise)) return this.#inSession(post, found, elements);
    return found.then((session) =>
      this.services.closing() ? answerClosing(responder) : this.#inSession(post, session, elements),
    );
  }

  #inSession(post: BatchPost, found: LiveSession | undefined, elements: Elements): void {
    const { responder, host, server, accepts, versionHeader } = post;
    const session = findSession(responder, found, versionHeader);
    if (session === undefined) return;
    const revision = negotiate(session.record.client.revision);
    if (!revision.batches) return refuse(responder, `batches are not accepted in ${revision.name}`);
    const answer = new BatchAnswer(this.services, responder, server.snapshot.settings, accepts, session);
    for (const element of elements) {
      if (element.kind === 'fault') {
        // The id of an answer is one of ours; an error with it would seem to belong to a request of the client.
        const id = element.response ? undefined : element.id;
        answer.slot(id).settle(JSON.stringify(errorMessage(id, element.code, element.message)));
      } else if (element.kind === 'request') {
        const { message } = element;
        const slot = answer.slot(message.id);
        const { services } = this;
        this.carrier.run(
          new BatchedExchange(services, host, server, message, accepts, revision, session, slot),
          session,
        );
      } else this.#hear(element.message, session, host.jobs);
    }
    answer.started(elements.some(({ kind }) => kind !== 'fault'));
  }

  /** A batch is answered in parts: none of them can wait for this. */
  #hear(message: JsonRpcMessage, session: LiveSession, jobs: Jobs | undefined): void {
    const heard = this.carrier.hear(message, session, jobs);
    if (!(heard instanceof Promise)) return;
    heard.catch((error) =>
      this.services.logger.error({ session: session.id, error: String(error) }, 'what a client said was not stored'),
    );
  }
}

/** What makes a batch illegal as a whole. */
function faultOf(elements: Elements, maxLength: number): string | undefined {
  if (elements.length === 0) return 'a batch must not be empty';
  if (elements.length > maxLength) return `a batch holds ${maxLength} messages at most`;
  let answers = 0;
  for (const element of elements) {
    if (element.kind === 'request' && element.message.method === 'initialize')
      return 'initialize must not be in a batch';
    if (element.kind === 'response' || (element.kind === 'fault' && element.response)) answers++;
  }
  return answers > 0 && answers < elements.length
    ? 'a batch holds either requests and notifications, or responses'
    : undefined;
}

function isModern(item: unknown): boolean {
  const meta = isJsonObject(item) && isJsonObject(item.params) ? item.params._meta : undefined;
  return isJsonObject(meta) && meta[PROTOCOL_VERSION_KEY] !== undefined;
}

function refuse(responder: HttpResponder, why: string): void {
  answerError(responder, 400, { code: MCP_CODES.INVALID_REQUEST, message: `Invalid request: ${why}` });
}
