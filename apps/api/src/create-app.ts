import { type Clock, systemClock } from '@gantry/mcp-core';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { appModule } from './app.module.js';
import type { GatePorts } from './common/auth/principal.js';
import { notFound } from './common/errors/app-error.js';
import { sendProblem } from './common/errors/problem.js';
import { ProblemFilter } from './common/errors/problem-filter.js';
import { guardApi } from './common/http/api-scope.js';
import { createFastify } from './common/http/fastify-instance.js';
import { GantryAdapter } from './common/http/gantry-adapter.js';
import { HostCheck } from './common/http/host-check.js';
import { RouteTable } from './common/http/route-table.js';
import { createLogger } from './common/logging/logger.js';
import { NestLogger } from './common/logging/nest-logger.js';
import type { AppConfig } from './config/app-config.js';
import { McpGateway } from './gateway/mcp-gateway.js';
import { type McpRouteParts, refuseUnrouted, registerMcpRoutes } from './gateway/mcp-routes.js';
import { ChangeLogFollower } from './infra/changes/change-log-follower.js';
import { redisFault } from './infra/redis/redis-fault.js';
import { Readiness } from './modules/health/readiness.js';
import { PrincipalResolver } from './modules/keys/principal-resolver.js';
import { TenantsService } from './modules/tenants/tenants.service.js';
import { HostedServers } from './modules/tools/catalogue/hosted-servers.js';

export interface AppOptions {
  readonly config: AppConfig;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

export interface App {
  readonly fastify: FastifyInstance;
  /** Gives any exported service: `nest.get(ServersService)`. */
  readonly nest: NestFastifyApplication;
  readonly routes: RouteTable;
  readonly readiness: Readiness;
  readonly logger: Logger;
  /** Ends requests, timers and connections to the database. May be called twice. */
  close(): Promise<void>;
}

const HEALTH = ['/healthz', '/readyz'];

/** A worker takes its work from the queue: nothing of what other nodes serve is served by it. */
function serveHealthOnly(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (HEALTH.includes(request.url.replace(/\?.*$/, ''))) return done();
    sendProblem(request, reply, notFound('route'));
  });
}

/** The whole application, ready to be asked by `fastify.inject` or to listen. Needs a database with this version's schema. */
export async function createApp({
  config,
  logger = createLogger(config.logLevel),
  clock = systemClock,
}: AppOptions): Promise<App> {
  const fastify = createFastify({ bodyBytes: config.limits.bodyBytes, trustedProxies: config.trustedProxies, logger });
  const routes = new RouteTable();
  routes.watch(fastify);
  let gateway: McpRouteParts | undefined;
  if (config.role === 'worker') serveHealthOnly(fastify);
  // In a scope of their own, before the API's hooks: none of the API's parsers and guards runs for them, and none of Nest's.
  await fastify.register(async (scope) => registerMcpRoutes(scope, config.publicUrl, () => gateway));
  let ports: GatePorts | undefined;
  guardApi(fastify, {
    hosts: new HostCheck(config.allowedHosts),
    routes,
    ports: () => ports,
    refuseEndpoint: refuseUnrouted,
  });
  const created = await NestFactory.create<NestFastifyApplication>(
    appModule({ config, logger, clock }, routes),
    new GantryAdapter(fastify as never),
    { logger: new NestLogger(logger), bodyParser: false, abortOnError: false },
  );
  try {
    created.useGlobalFilters(new ProblemFilter(redisFault));
    await created.init();
    await fastify.ready();
    await created.get(ChangeLogFollower).start();
  } catch (error) {
    await created.close().catch(() => undefined);
    throw error;
  }
  gateway = { gateway: created.get(McpGateway), servers: created.get(HostedServers) };
  const principals = created.get(PrincipalResolver);
  const tenants = created.get(TenantsService);
  ports = {
    resolve: (authorization, address) => principals.resolve(authorization, address),
    findTenant: (slug) => tenants.findRef(slug),
  };
  let closing: Promise<void> | undefined;
  return {
    fastify,
    nest: created,
    routes,
    readiness: created.get(Readiness),
    logger,
    close: () => {
      closing ??= created.close();
      return closing;
    },
  };
}
