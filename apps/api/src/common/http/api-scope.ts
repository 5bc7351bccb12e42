import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { permissionsIn, permissionsOnPlatform } from '../auth/permissions.js';
import type { GatePorts, Principal, TenantRef } from '../auth/principal.js';
import { AppError, forbidden, notFound, unauthenticated } from '../errors/app-error.js';
import { sendProblem } from '../errors/problem.js';
import type { HostCheck } from './host-check.js';
import type { RouteTable } from './route-table.js';

export interface ApiScopeOptions {
  readonly hosts: HostCheck;
  readonly routes: RouteTable;
  /** Answered once the modules are there; requests before that are refused as unavailable. */
  readonly ports: () => GatePorts | undefined;
  /** Answers what is below `/mcp/` and has no route; `known` when the path has routes for other methods. */
  readonly refuseEndpoint: (reply: FastifyReply, known: boolean) => unknown;
}

/**
 * Everything that stands before the management API: request id, host check, credentials, permission, body parsing,
 * the answer to unknown routes, one log line a request. MCP endpoints pass it by: their calls have a log of their own.
 */
export function guardApi(fastify: FastifyInstance, options: ApiScopeOptions): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isEndpoint(request)) return done();
    stand(request, reply, options).then(() => done(), done);
  });
  parseJsonOnly(fastify);
  fastify.setNotFoundHandler((request, reply) => {
    const methods = options.routes.methodsAt(pathOf(request.url));
    if (isEndpoint(request)) return options.refuseEndpoint(reply, methods.length > 0);
    if (methods.length === 0) return sendProblem(request, reply, notFound('route'));
    reply.header('allow', methods.join(', '));
    return sendProblem(request, reply, new AppError('method_not_allowed', `Served here: ${methods.join(', ')}.`));
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    if (!isEndpoint(request)) logRequest(request, reply);
    done();
  });
}

/** Everything before the handler of the management API. */
async function stand(request: FastifyRequest, reply: FastifyReply, options: ApiScopeOptions): Promise<void> {
  request.ctx = {
    requestId: request.id,
    address: request.ip,
    principal: undefined,
    tenant: undefined,
    permissions: new Set(),
  };
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
  const api = isApi(request);
  if (api && !options.hosts.allows(request.host)) {
    throw new AppError('host_not_allowed', 'Set ALLOWED_HOSTS to serve this host name.', {
      logged: `Host "${request.host}" is not allowed`,
    });
  }
  await admit(request, options);
  if (api) reply.header('cache-control', 'no-store');
}

function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      method: request.method,
      // The pattern, not the URL: it holds neither names nor query values.
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      principal: request.ctx?.principal ? `${request.ctx.principal.kind}:${request.ctx.principal.id}` : undefined,
      tenant: request.ctx?.tenant?.slug,
    },
    'request',
  );
}

/** Checks who asks and what they may do, before a byte of the body is read. */
async function admit(request: FastifyRequest, options: ApiScopeOptions): Promise<void> {
  const operation = request.routeOptions.config.operation;
  if (operation === undefined || operation.access === 'public' || operation.access === 'gateway') return;
  const ports = options.ports();
  if (ports === undefined) throw new AppError('unavailable', 'The server is starting.');
  const { ctx } = request;
  const principal = await ports.resolve(request.headers.authorization, ctx.address);
  if (principal === undefined) {
    throw unauthenticated('Send a valid key, admin token or console session as a bearer token.');
  }
  ctx.principal = principal;
  const slug = (request.params as { tenant?: string }).tenant;
  if (slug === undefined) {
    ctx.permissions = permissionsOnPlatform(principal);
  } else {
    const tenant = await tenantOf(principal, slug, ports);
    const permissions = tenant && permissionsIn(principal, tenant);
    if (tenant === undefined || permissions === undefined) throw notFound('tenant');
    ctx.tenant = tenant;
    ctx.permissions = permissions;
  }
  if (operation.access !== 'signed-in' && !ctx.permissions.has(operation.access)) throw forbidden(operation.access);
  // No stored name holds NUL, and the database refuses to be asked for one.
  if (Object.values(request.params as object).some((name) => String(name).includes('\0'))) throw notFound('resource');
}

/** The tenant a slug names, as far as the caller may know; only those above tenants need to look it up. */
function tenantOf(
  principal: Principal,
  slug: string,
  ports: GatePorts,
): TenantRef | undefined | Promise<TenantRef | undefined> {
  if (principal.kind === 'key') {
    return principal.tenantSlug === slug ? { id: principal.tenantId, slug } : undefined;
  }
  if (principal.kind === 'user') {
    for (const [id, membership] of principal.memberships) if (membership.slug === slug) return { id, slug };
    if (principal.platformRole === undefined) return undefined;
  }
  return ports.findTenant(slug);
}

/** JSON is the only body there is; an empty one counts as none. */
function parseJsonOnly(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    /^application\/(?:json|merge-patch\+json)\s*(?:;|$)/i,
    { parseAs: 'string' },
    (request, body, done) => {
      if (body.length === 0) return done(null, undefined);
      parse(request, body as string, done);
    },
  );
}

/** Below `/mcp/` the gateway stands alone; the hooks of an instance run for its child scopes too. */
function isEndpoint(request: FastifyRequest): boolean {
  return request.raw.url?.startsWith('/mcp/') ?? false;
}

/** By the route, since a path may be spelt in many ways (`/%61pi/…`); by the path where no route takes it. */
function isApi(request: FastifyRequest): boolean {
  return (request.routeOptions.url ?? request.url).startsWith('/api');
}

function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
