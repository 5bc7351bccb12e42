import { Buffer } from 'node:buffer';
import {
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  isJsonObject,
  LOG_LEVEL_KEY,
  PROTOCOL_VERSION_KEY,
} from '../../protocol/meta-keys.js';
import type { ClientCapabilities, LogLevel, ProgressToken, RequestId } from '../../protocol/types.js';
import { encodeMirrored } from '../../wire/mirrored-value.js';
import { nameToRepeat } from '../../wire/rev-2026-07-28/ladder.js';
import { mirroredHeaders, readHeaderRules } from '../../wire/rev-2026-07-28/param-headers.js';
import type { HttpRequest } from '../http-exchange.js';

const REVISION = '2026-07-28';

/** A message to be made into a request: of whom, asking for what, and what is wanted on the way. */
export interface ModernRequest {
  readonly id: RequestId;
  readonly method: string;
  /** The method's own params; what every request carries besides is added here. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly client: { readonly name: string; readonly version: string };
  /** What the client can be asked for on the way; nothing by default. */
  readonly capabilities?: ClientCapabilities;
  /** Of a `tools/call`: the tool's schema, for the arguments it wants repeated as headers. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** Bare results of what an earlier round asked, by the keys of its questions. */
  readonly inputResponses?: Readonly<Record<string, unknown>>;
  /** As the earlier round gave it. */
  readonly requestState?: string;
  readonly progressToken?: ProgressToken;
  readonly logLevel?: LogLevel;
}

/** A request of 2026-07-28 as a well-behaved client would send it, headers and all. */
export function modernRequest(request: ModernRequest): HttpRequest {
  const { id, method, client, capabilities = {}, progressToken, logLevel } = request;
  const _meta = {
    [PROTOCOL_VERSION_KEY]: REVISION,
    [CLIENT_CAPABILITIES_KEY]: capabilities,
    [CLIENT_INFO_KEY]: client,
    ...(progressToken === undefined ? {} : { progressToken }),
    ...(logLevel === undefined ? {} : { [LOG_LEVEL_KEY]: logLevel }),
  };
  const params = {
    ...request.params,
    ...(request.inputResponses === undefined ? {} : { inputResponses: request.inputResponses }),
    ...(request.requestState === undefined ? {} : { requestState: request.requestState }),
    _meta,
  };
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...repeated(request),
    },
    body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params })),
  };
}

/** What of the params stands in headers as well. */
function repeated({ method, params, inputSchema }: ModernRequest): Record<string, string> {
  const name = nameToRepeat(method, params);
  return {
    ...(name === undefined ? {} : { 'mcp-name': encodeMirrored(name) }),
    ...(inputSchema !== undefined && isJsonObject(params.arguments)
      ? mirroredHeaders(readHeaderRules(inputSchema).rules, params.arguments)
      : {}),
  };
}
