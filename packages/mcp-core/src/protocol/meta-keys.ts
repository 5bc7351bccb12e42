/** Keys of `_meta` that belong to the protocol. */
export const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CLIENT_CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
export const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';
export const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';
export const SUBSCRIPTION_ID_KEY = 'io.modelcontextprotocol/subscriptionId';
export const PROGRESS_TOKEN_KEY = 'progressToken';
export const RELATED_TASK_KEY = 'io.modelcontextprotocol/related-task';
/** Not of the protocol: the caller's name for one call, under which it may be sent again. */
export const IDEMPOTENCY_KEY = 'dev.gantry/idempotencyKey';

/** Keys that a handler must not see as data of its caller. */
const PROTOCOL_KEYS = new Set([
  PROTOCOL_VERSION_KEY,
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  LOG_LEVEL_KEY,
  SERVER_INFO_KEY,
  SUBSCRIPTION_ID_KEY,
  PROGRESS_TOKEN_KEY,
  RELATED_TASK_KEY,
  IDEMPOTENCY_KEY,
  'io.modelcontextprotocol/model-immediate-response',
]);

/** `_meta` without the protocol's own keys; undefined when nothing foreign is left. */
export function foreignMeta(meta: unknown): Record<string, unknown> | undefined {
  if (!isJsonObject(meta)) return undefined;
  let foreign: Record<string, unknown> | undefined;
  for (const key in meta) {
    if (PROTOCOL_KEYS.has(key)) continue;
    foreign ??= {};
    foreign[key] = meta[key];
  }
  return foreign;
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
