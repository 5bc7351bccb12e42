import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OperationSpec } from '../common/http/operation.js';
import type { HostedServers } from '../modules/tools/catalogue/hosted-servers.js';
import { type McpGateway, SERVED, type Surface } from './mcp-gateway.js';
import { methodNotAllowed, refusalBody, unknownServer } from './refusals.js';
import { metadataPath } from './servings.js';

const METHODS = ['GET', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH', 'HEAD'];

interface Path {
  tenant: string;
  server: string;
}

/** What is served under the path of a server, by what follows it. */
const SURFACES: Readonly<Record<string, { surface: Surface; operation: OperationSpec }>> = {
  '': { surface: 'endpoint', operation: gatewayOperation('The MCP endpoint of a server') },
  '/sse': { surface: 'sse', operation: gatewayOperation('Stream of the HTTP+SSE transport of 2024') },
  '/messages': { surface: 'messages', operation: gatewayOperation('Messages of the HTTP+SSE transport of 2024') },
};

/** What the routes need once the application is made; nothing listens before that. */
export interface McpRouteParts {
  readonly gateway: McpGateway;
  readonly servers: HostedServers;
}

const metadata = gatewayOperation('Metadata of a protected server (RFC 9728)');

function gatewayOperation(summary: string): OperationSpec {
  return { summary, access: 'gateway', answers: { 200: null } };
}

/**
 * Registers the MCP endpoints and the metadata documents that their challenges point to. On an endpoint the first hook
 * takes the request over, so no parser, guard or handler of the framework is passed on the way.
 */
export function registerMcpRoutes(
  fastify: FastifyInstance,
  publicUrl: string,
  parts: () => McpRouteParts | undefined,
): void {
  for (const [tail, { surface, operation }] of Object.entries(SURFACES).flatMap(withSlash)) {
    fastify.route({
      method: METHODS,
      url: `/mcp/:tenant/:server${tail}`,
      config: { operation },
      // Nothing is logged through the request here, and a child logger for each would cost more than the lookup of the key.
      childLoggerFactory: (logger) => logger,
      onRequest(request, reply) {
        reply.hijack();
        const { tenant, server } = request.params as Path;
        const { raw, ip: address, host } = request;
        parts()?.gateway.handle(raw, reply.raw, { tenant, server, surface, address, host });
      },
      handler: async () => undefined,
    });
  }
  fastify.route({
    method: ['GET', 'HEAD', 'OPTIONS'],
    url: metadataPath(':tenant', ':server'),
    config: { operation: metadata },
    async handler(request: FastifyRequest, reply) {
      // Open to any origin: the document holds nothing private.
      reply.header('access-control-allow-origin', '*').header('access-control-allow-methods', 'GET, HEAD, OPTIONS');
      if (request.method === 'OPTIONS') return reply.code(204).header('access-control-allow-headers', '*').send();
      const { tenant, server } = request.params as Path;
      const hosted = await parts()?.servers.find(tenant, server, request.ip);
      if (hosted === undefined) return reply.code(404).send({ error: 'not_found' });
      return reply.header('cache-control', 'public, max-age=60').send({
        resource: `${publicUrl}/mcp/${tenant}/${server}`,
        resource_name: hosted.published.document.title ?? hosted.published.document.name,
        bearer_methods_supported: ['header'],
        scopes_supported: ['mcp:call'],
      });
    },
  });
}

function withSlash<T>([tail, what]: [string, T]): [string, T][] {
  return [
    [tail, what],
    [`${tail}/`, what],
  ];
}

function surfaceAt(url: string): Surface {
  const [tail] = url.split('/').slice(4).join('/').split('?');
  return SURFACES[tail === undefined || tail === '' ? '' : `/${tail.replace(/\/$/, '')}`]?.surface ?? 'endpoint';
}

/** Answers what no route takes: a path that cannot be an endpoint's, and methods that the framework does not route. */
export function refuseUnrouted(reply: FastifyReply, known: boolean): FastifyReply {
  const refusal = known ? methodNotAllowed(SERVED[surfaceAt(reply.request.url)]) : unknownServer;
  return reply
    .code(refusal.status)
    .headers(refusal.headers ?? {})
    .header('content-type', 'application/json')
    .send(refusalBody(refusal));
}
