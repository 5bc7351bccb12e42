import type { Logger } from 'pino';

/** Injection tokens of what has no class of its own. */
export const APP_CONFIG = Symbol('AppConfig');
export const LOGGER = Symbol('Logger');
export const CLOCK = Symbol('Clock');
export const POOL = Symbol('pg.Pool');
/** The `Sealer` of tenants' secrets. */
export const SECRET_SEALER = Symbol('SecretSealer');

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
