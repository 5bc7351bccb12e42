import type { Logger } from 'pino';

/** Injection tokens of what has no class of its own. */
export const APP_CONFIG = Symbol('AppConfig');
export const LOGGER = Symbol('Logger');
export const CLOCK = Symbol('Clock');
/** What Redis is reached by; undefined when there is none. */
export const REDIS = Symbol('RedisClients');
/** Unique for each start of a process. */
export const NODE_ID = Symbol('node id');
export const NODE_CHANNEL = Symbol('NodeChannel');
/** The `LiveNodes`: which nodes are gone. `NodesModule` provides it. */
export const LIVE_NODES = Symbol('LiveNodes');
export const POOL = Symbol('pg.Pool');
/** The `Sealer` of tenants' secrets. */
export const SECRET_SEALER = Symbol('SecretSealer');

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
