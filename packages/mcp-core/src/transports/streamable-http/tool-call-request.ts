import { Buffer } from 'node:buffer';
import {
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  LOG_LEVEL_KEY,
  PROTOCOL_VERSION_KEY,
} from '../../protocol/meta-keys.js';
import type { LogLevel, ObjectSchema, ProgressToken, RequestId } from '../../protocol/types.js';
import { encodeMirrored } from '../../wire/mirrored-value.js';
import { mirroredHeaders, readHeaderRules } from '../../wire/rev-2026-07-28/param-headers.js';
import type { HttpRequest } from '../http-exchange.js';

const REVISION = '2026-07-28';

/** A tool call to be made into a request: of whom, with what, and what is wanted on the way. */
export interface ToolCallRequest {
  readonly id: RequestId;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The tool's schema, for the arguments it wants repeated as headers. */
  readonly inputSchema: ObjectSchema | Record<string, unknown>;
  readonly client: { readonly name: string; readonly version: string };
  readonly progressToken?: ProgressToken;
  readonly logLevel?: LogLevel;
}

/** A `tools/call` of 2026-07-28 as a well-behaved client would send it, headers and all. */
export function toolCallRequest(call: ToolCallRequest): HttpRequest {
  const { id, name, inputSchema, client, progressToken, logLevel } = call;
  const _meta = {
    [PROTOCOL_VERSION_KEY]: REVISION,
    [CLIENT_CAPABILITIES_KEY]: {},
    [CLIENT_INFO_KEY]: client,
    ...(progressToken === undefined ? {} : { progressToken }),
    ...(logLevel === undefined ? {} : { [LOG_LEVEL_KEY]: logLevel }),
  };
  const params = { name, arguments: call.arguments, _meta };
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': 'tools/call',
      'mcp-name': encodeMirrored(name),
      ...mirroredHeaders(readHeaderRules(inputSchema).rules, call.arguments),
    },
    body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })),
  };
}
