import { hash, verify } from '@node-rs/argon2';

/** Too many passwords are being hashed already; try again shortly. */
export class PasswordsBusyError extends Error {
  constructor() {
    super('too many passwords are being checked at once');
  }
}

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane. 2 is the library's number for argon2id.
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const AT_ONCE = 2;
const WAITING_MAX = 100;

let running = 0;
const waiting: (() => void)[] = [];

/** An argon2id hash with its parameters and salt, as a PHC string. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, ARGON2ID));
}

/** Whether a password made this hash. @throws when the hash is no PHC string. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return inTurn(() => verify(passwordHash, password));
}

/** Each hash costs 19 MiB and a thread: a flood of sign-ins may take two of them, and waits up to a bound. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING_MAX) throw new PasswordsBusyError();
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running++;
  }
  try {
    return await work();
  } finally {
    // The slot goes to the next in line, or back.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
