import type { EndpointOptions } from '@gantry/mcp-core';

/** Injection token of `SessionPorts`. */
export const SESSION_PORTS = Symbol('SessionPorts');

/** What sessions live on when several nodes share them; nothing where one process is alone. */
export type SessionPorts = Pick<
  EndpointOptions,
  'sessionStore' | 'sessionTurns' | 'eventLog' | 'nodeBus' | 'changeBus' | 'liveNodes'
>;
