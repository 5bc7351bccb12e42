import type { LogLevel } from './types.js';

/** Severities of RFC 5424, least severe first. */
export const LOG_LEVELS: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** The threshold of a session that has not set one. */
export const DEFAULT_LOG_LEVEL: LogLevel = 'info';

const SEVERITY = new Map<unknown, number>(LOG_LEVELS.map((level, at) => [level, at]));

/** Whether a value names a severity, in lower case as on the wire. */
export function isLogLevel(value: unknown): value is LogLevel {
  return SEVERITY.has(value);
}

/** Whether a message of that level passes a threshold; without a threshold none does. */
export function passesLevel(level: LogLevel, threshold: LogLevel | undefined): boolean {
  return threshold !== undefined && (SEVERITY.get(level) ?? -1) >= (SEVERITY.get(threshold) ?? 0);
}
