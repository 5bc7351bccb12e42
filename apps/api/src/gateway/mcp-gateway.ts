import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HostContext, HttpRequest, HttpResponder } from '@gantry/mcp-core';
import type { EndpointPrincipal } from '../common/auth/principal.js';
import { AppError } from '../common/errors/app-error.js';
import type { HostCheck } from '../common/http/host-check.js';
import type { HostedServer, HostedServers } from '../modules/tools/catalogue/hosted-servers.js';
import { discardRest, NodeResponder, readBody, toHttpRequest } from './node-exchange.js';
import { corsHeaders, originAllowed, preflightHeaders } from './origin.js';
import {
  type EdgeRefusal,
  foreignHost,
  foreignOrigin,
  methodNotAllowed,
  refusalBody,
  tooLarge,
  tooManyAttempts,
  unauthorized,
  unavailable,
  unknownServer,
} from './refusals.js';
import type { Servings } from './servings.js';

/** What the gateway hands an exchange to. */
export interface ExchangeHandler {
  handle(request: HttpRequest, responder: HttpResponder, host: HostContext): void | Promise<void>;
}

/** The same for HTTP+SSE as well. */
export interface EndpointHandler extends ExchangeHandler {
  handleSse(
    request: HttpRequest,
    responder: HttpResponder,
    host: HostContext,
    messagesUri: (sessionId: string) => string,
  ): void | Promise<void>;
  handleSseMessage(
    request: HttpRequest,
    responder: HttpResponder,
    host: HostContext,
    sessionId: string | undefined,
  ): void | Promise<void>;
}

/** The endpoint itself, or one of the two addresses of HTTP+SSE under it. */
export type Surface = 'endpoint' | 'sse' | 'messages';

/** What a request asks for. `address` is the client's and `host` the name it asked for, both as trusted proxies tell them. */
export interface Route {
  readonly tenant: string;
  readonly server: string;
  readonly surface: Surface;
  readonly address: string;
  readonly host: string;
}

export interface GatewayOptions {
  readonly servers: HostedServers;
  readonly servings: Servings;
  readonly endpoint: EndpointHandler;
  readonly hosts: HostCheck;
  readonly allowedOrigins: readonly string[];
  readonly bodyBytes: number;
  /** What stands before `/mcp` in the addresses that clients use; empty without a proxy that adds something. */
  readonly publicPath: string;
  /** The principal behind an `Authorization` value; throws `rate_limited` for an address that guesses. */
  readonly resolve: (
    authorization: string | undefined,
    address: string,
  ) => EndpointPrincipal | undefined | Promise<EndpointPrincipal | undefined>;
  readonly onFault: (error: unknown) => void;
}

export const SERVED: Readonly<Record<Surface, readonly string[]>> = {
  endpoint: ['GET', 'POST', 'DELETE', 'OPTIONS'],
  sse: ['GET', 'OPTIONS'],
  messages: ['POST', 'OPTIONS'],
};

/**
 * The edge of every MCP endpoint: route, host, origin, size and principal, in that order, before a byte of the
 * message is looked at. Written with plain callbacks, so that a known caller of a known server waits for nothing.
 */
export class McpGateway {
  constructor(private readonly options: GatewayOptions) {}

  /** Answers one request on `/mcp/{tenant}/{server}` or under it. */
  handle(request: IncomingMessage, response: ServerResponse, route: Route): void {
    const failed = (error: unknown) => {
      const limited = isRateLimit(error);
      if (!limited) this.options.onFault(error);
      refuse(response, limited ? tooManyAttempts : unavailable, this.grantEverywhere(request));
    };
    try {
      const hosted = this.options.servers.find(route.tenant, route.server, route.address);
      if (!(hosted instanceof Promise)) return this.routed(request, response, hosted, route);
      hosted.then((found) => this.routed(request, response, found, route)).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  private routed(request: IncomingMessage, response: ServerResponse, hosted: HostedServer | undefined, route: Route) {
    if (hosted === undefined) return refuse(response, unknownServer, this.grantEverywhere(request));
    const method = request.method ?? '';
    const served = SERVED[route.surface];
    if (!served.includes(method)) return refuse(response, methodNotAllowed(served), this.grantEverywhere(request));
    if (!this.options.hosts.allows(route.host)) return refuse(response, foreignHost);
    const { origin } = request.headers;
    let cors: Record<string, string> | undefined;
    if (origin !== undefined) {
      const own = hosted.published.document.settings.allowedOrigins ?? [];
      if (!originAllowed(origin, this.options.allowedOrigins, own)) return refuse(response, foreignOrigin);
      cors = corsHeaders(origin);
    }
    if (method === 'OPTIONS') return preflight(request, response, origin, served);
    const declared = Number(request.headers['content-length'] ?? 0);
    if (declared > this.options.bodyBytes) return this.refuseBody(request, response, cors);
    this.authenticate(request, response, hosted, route, cors);
  }

  /** For refusals that come before a server is known: pages that may read every server's answers may read these. */
  private grantEverywhere({ headers: { origin } }: IncomingMessage): Record<string, string> | undefined {
    return origin !== undefined && originAllowed(origin, this.options.allowedOrigins) ? corsHeaders(origin) : undefined;
  }

  private authenticate(
    request: IncomingMessage,
    response: ServerResponse,
    hosted: HostedServer,
    route: Route,
    cors: Record<string, string> | undefined,
  ): void {
    const { authorization } = request.headers;
    const failed = (error: unknown) => {
      const limited = isRateLimit(error);
      if (!limited) this.options.onFault(error);
      refuse(response, limited ? tooManyAttempts : unavailable, cors);
    };
    const resolved = (principal: EndpointPrincipal | undefined) => {
      const serving = this.options.servings.find(hosted, principal);
      if (serving !== undefined) return this.receive(request, response, route, serving, cors);
      const sent = authorization !== undefined;
      refuse(response, unauthorized(this.options.servings.metadataUrl(hosted), sent), cors);
    };
    try {
      const principal = this.options.resolve(authorization, route.address);
      if (principal instanceof Promise) principal.then(resolved).catch(failed);
      else resolved(principal);
    } catch (error) {
      failed(error);
    }
  }

  private receive(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    serving: HostContext,
    cors: Record<string, string> | undefined,
  ): void {
    if (request.method !== 'POST') return this.exchange(request, response, route, serving, cors, undefined);
    readBody(request, this.options.bodyBytes, (fault, body) => {
      if (fault === 'too_large') return this.refuseBody(request, response, cors);
      if (fault === 'aborted') return;
      this.exchange(request, response, route, serving, cors, body);
    });
  }

  private refuseBody(
    request: IncomingMessage,
    response: ServerResponse,
    cors: Record<string, string> | undefined,
  ): void {
    // The whole answer, but not its end: with that, a connection that is not kept alive would be closed.
    if (!writeRefusal(response, tooLarge(this.options.bodyBytes), cors, false)) return;
    discardRest(request, () => response.end());
  }

  private exchange(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    serving: HostContext,
    cors: Record<string, string> | undefined,
    body: Buffer | undefined,
  ): void {
    const failed = (error: unknown) => {
      this.options.onFault(error);
      if (!response.headersSent) refuse(response, { ...unavailable, status: 500, message: 'Internal error' }, cors);
      else response.destroy();
    };
    try {
      const done = this.carry(request, toHttpRequest(request, body), new NodeResponder(response, cors), route, serving);
      if (done instanceof Promise) done.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  /** Hands it to the engine, by the address it came to. */
  private carry(
    raw: IncomingMessage,
    request: HttpRequest,
    responder: NodeResponder,
    { surface, tenant, server }: Route,
    serving: HostContext,
  ): void | Promise<void> {
    const { endpoint, publicPath } = this.options;
    if (surface === 'endpoint') return endpoint.handle(request, responder, serving);
    if (surface === 'messages') return endpoint.handleSseMessage(request, responder, serving, sessionIdIn(raw));
    const messages = `${publicPath}/mcp/${tenant}/${server}/messages`;
    return endpoint.handleSse(request, responder, serving, (id) => `${messages}?sessionId=${id}`);
  }
}

/** A query of one `sessionId`, as the stream has named it. */
function sessionIdIn(request: IncomingMessage): string | undefined {
  const { searchParams } = new URL(request.url ?? '', 'http://any');
  const ids = searchParams.getAll('sessionId');
  return ids.length === 1 && ids[0] !== '' ? ids[0] : undefined;
}

function isRateLimit(error: unknown): boolean {
  return error instanceof AppError && error.code === 'rate_limited';
}

function refuse(response: ServerResponse, refusal: EdgeRefusal, cors?: Record<string, string>): void {
  writeRefusal(response, refusal, cors, true);
}

/** False when there is nobody to answer any more. */
function writeRefusal(
  response: ServerResponse,
  refusal: EdgeRefusal,
  cors: Record<string, string> | undefined,
  ends: boolean,
): boolean {
  if (response.destroyed || response.headersSent) return false;
  const body = refusalBody(refusal);
  response.writeHead(refusal.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...cors,
    ...refusal.headers,
  });
  if (ends) response.end(body);
  else response.write(body);
  return true;
}

function preflight(
  request: IncomingMessage,
  response: ServerResponse,
  origin: string | undefined,
  served: readonly string[],
): void {
  const grants = origin === undefined ? undefined : preflightHeaders(request, origin);
  response.writeHead(204, { allow: served.join(', '), ...grants });
  response.end();
}
