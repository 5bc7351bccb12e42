import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { AppError } from '../errors/app-error.js';
import { PROBLEM_CONTENT_TYPE, problemOf, sendProblem } from '../errors/problem.js';
import { requestIdOf } from './request-id.js';

const HEADERS_TIMEOUT_MS = 30_000;
/** For a request to arrive whole: a body that trickles in would hold its connection and its buffer for ever. */
const REQUEST_TIMEOUT_MS = 120_000;
const KEEP_ALIVE_MS = 72_000;
/** For a client to take something more of a complete answer. */
const STALLED_MS = 60_000;
/** A request was recognised, but not which interface it was for: a bare status is right for each of them. */
const BARE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

export interface FastifyOptions {
  readonly bodyBytes: number;
  readonly trustedProxies: readonly string[];
  readonly logger: FastifyBaseLogger;
  /** Time without progress after which a client that does not read its answer is let go; a minute by default. */
  readonly stalledMs?: number;
}

/** The process's one Fastify instance: ids, limits and errors are set here, before any route or framework. */
export function createFastify({
  bodyBytes,
  trustedProxies,
  logger,
  stalledMs = STALLED_MS,
}: FastifyOptions): FastifyInstance {
  const fastify = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    bodyLimit: bodyBytes,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    // Names are short; the URI of a resource, percent-encoded, fills what Node takes of a request line.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: (error, request, reply) => {
      // A path that cannot be read, or too long a name: no MCP server has it.
      if (request.url.startsWith('/mcp/')) return void (reply as FastifyReply).code(404).send();
      sendProblem(request, reply.header('x-request-id', request.id), error);
    },
    clientErrorHandler(error, socket) {
      answerBrokenRequest(error, socket);
    },
  });
  fastify.server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.once('prefinish', () => letGoIfStalled(response, stalledMs));
  });
  fastify.decorateRequest('ctx');
  fastify.setErrorHandler((error, request, reply) => {
    sendProblem(request, reply, error);
  });
  return fastify;
}

/** What was answered waits for its reader in our memory: a reader that never comes must not keep it there. */
function letGoIfStalled({ socket }: ServerResponse, stalledMs: number): void {
  // Node counts any progress of a write as activity, and sets its own time when the answer has left.
  if (socket !== null && socket.writableLength > 0) socket.setTimeout(stalledMs);
}

/** What is not HTTP never becomes a request; it still gets a problem, and the connection ends. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const bare = BARE[error.code ?? ''];
  if (bare !== undefined) {
    socket.end(`HTTP/1.1 ${bare}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    return;
  }
  const problem = problemOf(new AppError('bad_request', 'This is not an HTTP request.'), requestIdOf({ headers: {} }));
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: ${PROBLEM_CONTENT_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
