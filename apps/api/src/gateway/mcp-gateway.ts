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

export interface GatewayOptions {
  readonly servers: HostedServers;
  readonly servings: Servings;
  readonly endpoint: ExchangeHandler;
  readonly hosts: HostCheck;
  readonly allowedOrigins: readonly string[];
  readonly bodyBytes: number;
  /** The principal behind an `Authorization` value; throws `rate_limited` for an address that guesses. */
  readonly resolve: (
    authorization: string | undefined,
    address: string,
  ) => EndpointPrincipal | undefined | Promise<EndpointPrincipal | undefined>;
  readonly onFault: (error: unknown) => void;
}

const SERVED = ['POST', 'GET', 'DELETE', 'OPTIONS'];

/**
 * The edge of every MCP endpoint: route, host, origin, size and principal, in that order, before a byte of the
 * message is looked at. Written with plain callbacks, so that a known caller of a known server waits for nothing.
 */
export class McpGateway {
  constructor(private readonly options: GatewayOptions) {}

  /**
   * Answers one request on `/mcp/{tenant}/{server}`. `address` is the client's and `host` the name it asked for, both
   * as trusted proxies tell them.
   */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    tenant: string,
    server: string,
    address: string,
    host: string,
  ): void {
    const failed = (error: unknown) => {
      const limited = isRateLimit(error);
      if (!limited) this.options.onFault(error);
      refuse(response, limited ? tooManyAttempts : unavailable, this.grantEverywhere(request));
    };
    try {
      const hosted = this.options.servers.find(tenant, server, address);
      if (!(hosted instanceof Promise)) return this.routed(request, response, hosted, address, host);
      hosted.then((found) => this.routed(request, response, found, address, host)).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  private routed(
    request: IncomingMessage,
    response: ServerResponse,
    hosted: HostedServer | undefined,
    address: string,
    host: string,
  ) {
    if (hosted === undefined) return refuse(response, unknownServer, this.grantEverywhere(request));
    const method = request.method ?? '';
    if (!SERVED.includes(method)) return refuse(response, methodNotAllowed, this.grantEverywhere(request));
    if (!this.options.hosts.allows(host)) return refuse(response, foreignHost);
    const { origin } = request.headers;
    let cors: Record<string, string> | undefined;
    if (origin !== undefined) {
      const own = hosted.published.document.settings.allowedOrigins ?? [];
      if (!originAllowed(origin, this.options.allowedOrigins, own)) return refuse(response, foreignOrigin);
      cors = corsHeaders(origin);
    }
    if (method === 'OPTIONS') return preflight(request, response, origin);
    const declared = Number(request.headers['content-length'] ?? 0);
    if (declared > this.options.bodyBytes) return this.refuseBody(request, response, cors);
    this.authenticate(request, response, hosted, address, cors);
  }

  /** For refusals that come before a server is known: pages that may read every server's answers may read these. */
  private grantEverywhere({ headers: { origin } }: IncomingMessage): Record<string, string> | undefined {
    return origin !== undefined && originAllowed(origin, this.options.allowedOrigins) ? corsHeaders(origin) : undefined;
  }

  private authenticate(
    request: IncomingMessage,
    response: ServerResponse,
    hosted: HostedServer,
    address: string,
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
      if (serving !== undefined) return this.receive(request, response, serving, cors);
      const sent = authorization !== undefined;
      refuse(response, unauthorized(this.options.servings.metadataUrl(hosted), sent), cors);
    };
    try {
      const principal = this.options.resolve(authorization, address);
      if (principal instanceof Promise) principal.then(resolved).catch(failed);
      else resolved(principal);
    } catch (error) {
      failed(error);
    }
  }

  private receive(
    request: IncomingMessage,
    response: ServerResponse,
    serving: HostContext,
    cors: Record<string, string> | undefined,
  ): void {
    if (request.method !== 'POST') return this.exchange(request, response, serving, cors, undefined);
    readBody(request, this.options.bodyBytes, (fault, body) => {
      if (fault === 'too_large') return this.refuseBody(request, response, cors);
      if (fault === 'aborted') return;
      this.exchange(request, response, serving, cors, body);
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
      const done = this.options.endpoint.handle(
        toHttpRequest(request, body),
        new NodeResponder(response, cors),
        serving,
      );
      if (done instanceof Promise) done.catch(failed);
    } catch (error) {
      failed(error);
    }
  }
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

function preflight(request: IncomingMessage, response: ServerResponse, origin: string | undefined): void {
  const grants = origin === undefined ? undefined : preflightHeaders(request, origin);
  response.writeHead(204, { allow: SERVED.join(', '), ...grants });
  response.end();
}
