import type { Permission } from '@gantry/contracts';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { z } from 'zod';

/**
 * Who may call a route: holders of a permission (in the tenant of the path, or on the platform), anybody signed in
 * (the route narrows what they see), the public, or callers the route itself judges (`gateway`).
 */
export type Access = Permission | 'signed-in' | 'public' | 'gateway';

/** What a route promises: read by the request gate, by input validation and by the OpenAPI page. */
export interface OperationSpec {
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Used for the OpenAPI page in place of `body` where a route judges its body itself. */
  readonly describedBody?: z.ZodType;
  /** Statuses of success with the body each answers, null for none. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
}

export const OPERATION = 'gantry:operation';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: OperationSpec;
  }
}

/** Declares a route's promise. A route without one does not boot. */
export function Operation(spec: OperationSpec): MethodDecorator {
  return applyDecorators(SetMetadata(OPERATION, spec), RouteConfig({ operation: spec })) as MethodDecorator;
}
