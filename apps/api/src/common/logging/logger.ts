import { type DestinationStream, type Logger, pino } from 'pino';

const SENSITIVE = ['authorization', 'cookie', 'password', 'token', 'adminToken', 'key', 'secret', 'value', 'sealed'];

/** Paths whose values never reach a log line, at the top and one or two levels below. */
export const redactedPaths: readonly string[] = [
  ...SENSITIVE,
  ...SENSITIVE.map((name) => `*.${name}`),
  ...SENSITIVE.map((name) => `*.*.${name}`),
  'headers["set-cookie"]',
  '*.headers["set-cookie"]',
];

/** JSON lines on stdout, one an event. What is secret by name is replaced before it is written. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: describeError },
    redact: { paths: [...redactedPaths], censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Name, words, code and place of an error, and of its causes: its other members may hold connections and queries. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message,
    ...(code === undefined ? {} : { code }),
    stack,
    ...(cause === undefined || depth >= 3 ? {} : { cause: describeError(cause, depth + 1) }),
  };
}
