import type { Problem } from '@gantry/contracts';
import { ApiError, localProblem } from '@/lib/api/problem';
import { isObject } from '@/lib/json';
import { t } from '@/strings';

/** What the client threw, in the shape problems are shown in: a JSON-RPC error, an HTTP refusal, or one of its own. */
export function rpcProblem(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  const { code, data, message } = error as { code?: unknown; data?: unknown; message?: string };
  const status = isObject(data) && typeof data.status === 'number' ? data.status : 0;
  const title =
    status === 401 || status === 403
      ? t.playground.unauthorized
      : typeof code === 'number'
        ? t.playground.rpcError(code)
        : t.playground.failed;
  const more = data === undefined ? '' : ` ${JSON.stringify(data).slice(0, 2_000)}`;
  return localProblem(status, code === undefined ? 'internal' : String(code), title, `${message ?? error}${more}`);
}
