import { AppError } from '../../common/errors/app-error.js';
import { PasswordsBusyError } from '../../infra/crypto/index.js';

/** A password's work, or `unavailable` when too many passwords are worked on already. */
export async function unlessBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PasswordsBusyError)) throw error;
    throw new AppError('unavailable', 'Too many sign-ins at once. Try again in a moment.', {
      headers: { 'retry-after': '1' },
    });
  }
}
