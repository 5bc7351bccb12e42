import type { Socket } from 'node:net';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { AppError } from '../errors/app-error.js';
import { PROBLEM_CONTENT_TYPE, problemOf, sendProblem } from '../errors/problem.js';
import { requestIdOf } from './request-id.js';

const HEADERS_TIMEOUT_MS = 30_000;
/** For a request to arrive whole: a body that trickles in would hold its connection and its buffer for ever. */
const REQUEST_TIMEOUT_MS = 120_000;
const KEEP_ALIVE_MS = 72_000;
/** A request was recognised, but not which interface it was for: a bare status is right for each of them. */
const BARE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

export interface FastifyOptions {
  readonly bodyBytes: number;
  readonly trustedProxies: readonly string[];
  readonly logger: FastifyBaseLogger;
}

/** The process's one Fastify instance: ids, limits and errors are set here, before any route or framework. */
export function createFastify({ bodyBytes, trustedProxies, logger }: FastifyOptions): FastifyInstance {
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
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: (error, request, reply) => {
      // A path that cannot be read, or too long a name: no MCP server has it.
      if (request.url.startsWith('/mcp/')) return void (reply as FastifyReply).code(404).send();
      sendProblem(request, reply.header('x-request-id', request.id), error);
    },
    clientErrorHandler(error, socket) {
      answerBrokenRequest(error, socket);
    },
  });
  fastify.decorateRequest('ctx');
  fastify.setErrorHandler((error, request, reply) => {
    sendProblem(request, reply, error);
  });
  return fastify;
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
