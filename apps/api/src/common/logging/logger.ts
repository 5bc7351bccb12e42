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
    redact: { paths: [...redactedPaths], censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}
