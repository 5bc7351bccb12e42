import type { FastifyInstance } from 'fastify';
import type { OperationSpec } from './operation.js';

export interface RegisteredRoute {
  readonly method: string;
  /** Fastify's spelling, e.g. `/api/v1/tenants/:tenant`. */
  readonly url: string;
  readonly operation: OperationSpec;
}

/** Every route of the process, in the order of registration. */
export class RouteTable {
  private readonly routes: RegisteredRoute[] = [];

  /** Collects routes from here on. Registering one that does not say who may call it throws, and so stops the boot. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => {
      for (const method of [route.method].flat()) {
        const operation = route.config?.operation;
        if (operation === undefined) throw new Error(`${method} ${route.url} does not declare who may call it`);
        this.routes.push({ method, url: route.url, operation });
      }
    });
  }

  all(): readonly RegisteredRoute[] {
    return this.routes;
  }

  /** Methods served at a path; empty when nothing is. */
  methodsAt(path: string): string[] {
    const segments = path.split('/');
    return [...new Set(this.routes.filter((route) => matches(route.url, segments)).map((route) => route.method))];
  }
}

function matches(pattern: string, segments: readonly string[]): boolean {
  const parts = pattern.split('/');
  return (
    parts.length === segments.length &&
    parts.every((part, index) => part === segments[index] || (part.startsWith(':') && segments[index] !== ''))
  );
}
