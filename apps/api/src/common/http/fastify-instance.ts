import type { Socket } from 'node:net';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { sendProblem } from '../errors/problem.js';
import { requestIdOf } from './request-id.js';

const HEADERS_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 72_000;
const BROKEN: Readonly<Record<string, string>> = {
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
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: (error, request, reply) => {
      // A path that cannot be read, or too long a name: no MCP server has it.
      if (request.url.startsWith('/mcp/')) return reply.code(404).send();
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

/**
 * What is not HTTP never becomes a request. Which of the interfaces was meant is not known, so the answer is a bare
 * status, and the connection ends.
 */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = BROKEN[error.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}
