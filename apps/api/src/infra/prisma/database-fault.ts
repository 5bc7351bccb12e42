import { AppError } from '../../common/errors/app-error.js';

const PRISMA_CODES = /^P(1001|1002|1008|1017|2024|2028|2034|2037)$/;
/** Connection lost, rolled back, out of resources, lock not had in time, shutting down, system error. */
const SQL_STATES = /^(08|40|53|55|57|58)/;
const SYSTEM_CODES = /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EPIPE|EAI_AGAIN)$/;
const POOL_WORDS = /timeout exceeded when trying to connect|Connection terminated|ALLOW_CONNECTIONS/;

/** What a failed transaction means: `unavailable` when the same may succeed later, else the error itself. */
export function databaseFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  return isPassing(error)
    ? new AppError('unavailable', 'The database is busy or away. Try again.', { cause: error })
    : error;
}

function isPassing({ code, message }: Error & { code?: unknown }): boolean {
  if (POOL_WORDS.test(message)) return true;
  if (typeof code !== 'string') return false;
  if (PRISMA_CODES.test(code) || SYSTEM_CODES.test(code)) return true;
  // Prisma hands on what it does not know as P2039 or P2010, with Postgres's own code in the message.
  const state = /^P20(39|10)$/.test(code) ? /Code: `([0-9A-Z]{5})`/.exec(message)?.[1] : code;
  return state !== undefined && state.length === 5 && SQL_STATES.test(state);
}
