import { FastifyAdapter } from '@nestjs/platform-fastify';

/** Nest on our own Fastify instance. Errors and unknown routes are answered by the instance, not by Nest. */
export class GantryAdapter extends FastifyAdapter {
  override setErrorHandler(): never {
    return undefined as never;
  }

  override setNotFoundHandler(): never {
    return undefined as never;
  }
}
