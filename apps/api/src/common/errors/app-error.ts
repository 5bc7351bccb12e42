import type { Permission, PointedMessage, ProblemCode } from '@gantry/contracts';

export interface AppErrorOptions {
  /** What the log says beyond what the caller is told. */
  logged?: string;
  errors?: readonly PointedMessage[];
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/**
 * A refusal with a code of the catalogue. `detail` is told to the caller; `logged` and `cause` never leave the process.
 */
export class AppError extends Error {
  readonly errors: readonly PointedMessage[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ProblemCode,
    readonly detail?: string,
    options: AppErrorOptions = {},
  ) {
    super(options.logged ?? detail ?? code, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}

/** The same answer for what does not exist and for what the caller may not know of. */
export function notFound(what: string, logged?: string): AppError {
  return new AppError('not_found', `There is no such ${what}.`, logged === undefined ? {} : { logged });
}

export function forbidden(permission: Permission | string): AppError {
  return new AppError('forbidden', `This needs the permission "${permission}".`);
}

export function conflict(detail: string): AppError {
  return new AppError('conflict', detail);
}

export function unauthenticated(detail: string, logged?: string): AppError {
  return new AppError('unauthenticated', detail, {
    headers: { 'www-authenticate': 'Bearer realm="gantry"' },
    ...(logged === undefined ? {} : { logged }),
  });
}

export function tooMany(code: 'rate_limited' | 'locked_out', detail: string, retryAfterMs: number): AppError {
  return new AppError(code, detail, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) },
  });
}
