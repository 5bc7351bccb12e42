import type { Problem, ProblemCode } from '@gantry/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './app-error.js';
import { problemKinds } from './catalogue.js';

export const PROBLEM_CONTENT_TYPE = 'application/problem+json; charset=utf-8';

/** Errors of Fastify and Nest that name a status; what is not listed is judged by the status alone. */
const codesByStatus: Readonly<Record<number, ProblemCode>> = {
  400: 'bad_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'payload_too_large',
  414: 'bad_request',
  415: 'unsupported_media_type',
  422: 'validation_failed',
  429: 'rate_limited',
  431: 'bad_request',
  503: 'unavailable',
};

/** Any thrown thing as an `AppError`; what nobody foresaw is `internal` and tells nothing. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const status = statusOf(thrown);
  const code = status === undefined ? undefined : codesByStatus[status];
  if (code === undefined) {
    return new AppError('internal', undefined, { logged: messageOf(thrown), cause: thrown });
  }
  return new AppError(code, messageOf(thrown), { cause: thrown });
}

function statusOf(thrown: unknown): number | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const { statusCode, status, getStatus } = thrown as Record<string, unknown>;
  if (typeof statusCode === 'number') return statusCode;
  if (typeof getStatus === 'function') return (thrown as { getStatus(): number }).getStatus();
  return typeof status === 'number' ? status : undefined;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The RFC 9457 body of an error. */
export function problemOf(error: AppError, requestId: string): Problem {
  const kind = problemKinds[error.code];
  return {
    type: `urn:gantry:problem:${error.code}`,
    title: kind.title,
    status: kind.status,
    code: error.code,
    ...(error.detail === undefined ? {} : { detail: error.detail }),
    requestId,
    ...(error.errors === undefined ? {} : { errors: [...error.errors] }),
  };
}

/** Answers a request with the problem, and logs what the caller is not told. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const error = asAppError(thrown);
  const problem = problemOf(error, request.id);
  if (error.code === 'unavailable') {
    // Whatever is away has said so itself, once; each refusal meanwhile is no fault of its own.
    request.log.warn({ err: error.cause ?? error, code: error.code }, error.message);
  } else if (problem.status >= 500) {
    request.log.error({ err: error.cause ?? error, code: error.code }, error.message);
  } else if (error.message !== error.detail) {
    request.log.info({ code: error.code }, error.message);
  }
  return reply
    .code(problem.status)
    .headers({ ...error.headers, 'content-type': PROBLEM_CONTENT_TYPE, 'cache-control': 'no-store' })
    .send(JSON.stringify(problem));
}
