import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../errors/app-error.js';
import { faultsOf, unstorableFaults } from './json-faults.js';
import type { OperationSpec } from './operation.js';

const MAX_DEPTH = 64;

/** The body, checked and completed by the operation's `body` schema. Faults are 422 with a JSON Pointer each. */
export const ValidBody = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const request = requestOf(context);
  return parseBody(schemaOf(request, 'body'), request.body);
});

/** The body as it came, for documents that are judged in one pass of their own. */
export const RawBody = createParamDecorator((_data: unknown, context: ExecutionContext) => requestOf(context).body);

/** The query, checked by the operation's `query` schema. Faults are 400. */
export const ValidQuery = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const request = requestOf(context);
  const parsed = schemaOf(request, 'query').safeParse(request.query);
  if (parsed.success) return parsed.data;
  throw new AppError('bad_request', 'The query has faults.', { errors: faultsOf(parsed.error) });
});

/** One path parameter that must fit a schema; what does not fit names nothing, so it is not found. */
export const PathName = createParamDecorator(
  ({ name, schema }: { name: string; schema: z.ZodType<string> }, context: ExecutionContext) => {
    const value = (requestOf(context).params as Record<string, string>)[name];
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new AppError('not_found', `"${name}" ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
  },
);

/** Parses a body by a schema, with the faults no schema sees. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const unstorable = unstorableFaults(body, MAX_DEPTH);
  if (unstorable.length > 0) throw new AppError('validation_failed', 'The body has faults.', { errors: unstorable });
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new AppError('validation_failed', 'The body has faults.', { errors: faultsOf(parsed.error) });
}

function requestOf(context: ExecutionContext): FastifyRequest {
  return context.switchToHttp().getRequest<FastifyRequest>();
}

function schemaOf(request: FastifyRequest, part: 'body' | 'query'): z.ZodType {
  const operation: OperationSpec | undefined = request.routeOptions.config.operation;
  const schema = operation?.[part];
  if (schema === undefined) throw new Error(`${request.routeOptions.url} declares no ${part}`);
  return schema;
}
