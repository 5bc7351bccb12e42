import { MCP_CODES } from '../../jsonrpc/errors.js';
import type { JsonRpcRequest } from '../../jsonrpc/messages.js';
import { isLogLevel } from '../../protocol/log-levels.js';
import {
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  isJsonObject,
  LOG_LEVEL_KEY,
  PROTOCOL_VERSION_KEY,
} from '../../protocol/meta-keys.js';
import { isProgressToken } from '../../protocol/progress-token.js';
import { MODERN_REVISIONS } from '../../protocol/revisions.js';
import type { ClientCapabilities, LogLevel } from '../../protocol/types.js';
import { type Headers, headerValue, REPEATED } from '../http-headers.js';
import { decodeMirrored, isPlainHeaderValue } from '../mirrored-value.js';
import type { Revision } from '../revision.js';
import { modernRevision } from '../revisions.js';

/** Why a request is turned away before anything is dispatched; always HTTP 400. */
export interface LadderFault {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What a sound request says about itself and its sender. */
export interface Envelope {
  readonly revision: Revision;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: Record<string, unknown> | undefined;
  readonly logLevel: LogLevel | undefined;
}

/** The param that `Mcp-Name` repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/**
 * The checks of a stateless request before its method is looked up, in an order that keeps unknown future revisions
 * answerable (2026-07-28, transports and basic/_meta).
 */
export function climb(request: JsonRpcRequest, headers: Headers): Envelope | LadderFault {
  const { method, params = {} } = request;
  const meta = params._meta as Record<string, unknown>;
  const version = meta[PROTOCOL_VERSION_KEY];
  if (typeof version !== 'string') return invalid(`_meta["${PROTOCOL_VERSION_KEY}"] must be a string`);
  const versionFault = compare(
    'MCP-Protocol-Version',
    headerValue(headers, 'mcp-protocol-version'),
    version,
    'the version in _meta',
  );
  if (versionFault !== undefined) return versionFault;
  const revision = modernRevision(version);
  if (revision === undefined) return unsupported(version);
  return (
    compare('Mcp-Method', headerValue(headers, 'mcp-method'), method, 'method') ??
    nameFault(method, params, headers) ??
    readEnvelope(revision, meta)
  );
}

/** What a request with these params repeats as `Mcp-Name`, not yet encoded; undefined for methods that repeat nothing. */
export function nameToRepeat(method: string, params: Readonly<Record<string, unknown>>): string | undefined {
  const param = namedBy(method);
  const name = param === undefined ? undefined : params[param];
  return typeof name === 'string' ? name : undefined;
}

function namedBy(method: string): string | undefined {
  return Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined;
}

/** What a request says of itself where there are no headers to compare it with. */
export function envelopeOf(meta: Readonly<Record<string, unknown>>): Envelope | LadderFault {
  const version = meta[PROTOCOL_VERSION_KEY];
  if (typeof version !== 'string') return invalid(`_meta["${PROTOCOL_VERSION_KEY}"] must be a string`);
  const revision = modernRevision(version);
  return revision === undefined ? unsupported(version) : readEnvelope(revision, meta);
}

function unsupported(version: string): LadderFault {
  const data = { supported: [...MODERN_REVISIONS], requested: version };
  return { code: MCP_CODES.UNSUPPORTED_PROTOCOL_VERSION, message: `Unsupported protocol version: ${version}`, data };
}

/** Told apart by `code`, which only a fault has. */
export function isFault(outcome: Envelope | LadderFault): outcome is LadderFault {
  return 'code' in outcome;
}

function readEnvelope(revision: Revision, meta: Readonly<Record<string, unknown>>): Envelope | LadderFault {
  const capabilities = meta[CLIENT_CAPABILITIES_KEY];
  if (!isJsonObject(capabilities)) return invalid(`_meta["${CLIENT_CAPABILITIES_KEY}"] must be an object`);
  const logLevel = meta[LOG_LEVEL_KEY];
  if (logLevel !== undefined && !isLogLevel(logLevel)) {
    return invalid(`_meta["${LOG_LEVEL_KEY}"] must be a syslog severity, debug to emergency`);
  }
  if (meta.progressToken !== undefined && !isProgressToken(meta.progressToken)) {
    return invalid('_meta.progressToken must be a string or an integer');
  }
  const clientInfo = meta[CLIENT_INFO_KEY];
  return { revision, capabilities, clientInfo: isJsonObject(clientInfo) ? clientInfo : undefined, logLevel };
}

function nameFault(method: string, params: Record<string, unknown>, headers: Headers): LadderFault | undefined {
  const param = namedBy(method);
  if (param === undefined) return undefined;
  const sent = headerValue(headers, 'mcp-name');
  const wanted = params[param];
  // Without a name in the body there is nothing to compare; the method itself refuses such params.
  if (typeof wanted !== 'string') return undefined;
  if (typeof sent === 'string') {
    if (!isPlainHeaderValue(sent)) return mismatch('Mcp-Name holds characters that must be sent in base64 form');
    const decoded = decodeMirrored(sent);
    if (decoded === undefined) return mismatch('Mcp-Name is not valid base64 of UTF-8');
    return decoded === wanted ? undefined : mismatch(`Mcp-Name does not match params.${param}`);
  }
  return compare('Mcp-Name', sent, wanted, `params.${param}`);
}

function compare(
  header: string,
  sent: string | undefined | typeof REPEATED,
  wanted: string,
  what: string,
): LadderFault | undefined {
  if (sent === wanted) return undefined;
  if (sent === undefined) return mismatch(`${header} is missing`);
  return mismatch(sent === REPEATED ? `${header} is sent more than once` : `${header} does not match ${what}`);
}

function mismatch(message: string): LadderFault {
  return { code: MCP_CODES.HEADER_MISMATCH, message };
}

function invalid(message: string): LadderFault {
  return { code: MCP_CODES.INVALID_PARAMS, message: `Invalid params: ${message}` };
}
