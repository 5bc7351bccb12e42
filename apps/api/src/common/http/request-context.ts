import type { Permission } from '@gantry/contracts';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal, TenantRef } from '../auth/principal.js';

/** Who asked, from where, about whom. Lives on the request; nothing ambient. */
export interface RequestContext {
  readonly requestId: string;
  /** The client's address, as trusted proxies tell it. */
  readonly address: string;
  principal: Principal | undefined;
  tenant: TenantRef | undefined;
  permissions: ReadonlySet<Permission>;
}

/** What a service gets of a request by somebody known. */
export interface Caller {
  readonly requestId: string;
  readonly address: string;
  readonly principal: Principal;
  /** In the tenant of the request, or on the platform where there is none. */
  readonly permissions: ReadonlySet<Permission>;
}

/** What a service gets of a request about one tenant. */
export interface TenantCaller extends Caller {
  readonly tenant: TenantRef;
}

declare module 'fastify' {
  interface FastifyRequest {
    ctx: RequestContext;
  }
}

/** Hands the request's context to a controller: as `Caller` or `TenantCaller` where the gate has let it pass. */
export const Ctx = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().ctx,
);
