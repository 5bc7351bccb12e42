import type { JsonRpcDispatcher } from '../jsonrpc/dispatcher.js';
import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { Params } from '../jsonrpc/messages.js';
import type { RequestOptions } from '../jsonrpc/outgoing-call.js';
import { isJsonObject } from '../protocol/meta-keys.js';
import { LEGACY_REVISIONS } from '../protocol/revisions.js';
import type { Implementation } from '../protocol/types.js';
import { objectAnswer } from './answers.js';

/** What a server says of itself. */
export interface ServerDescription {
  readonly revision: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly info: Implementation;
  readonly instructions: string | undefined;
}

/**
 * Agrees on a revision (2025-11-25, basic/lifecycle).
 * @throws MCPError -32022 when the server answers in a revision that is not ours
 */
export async function shakeHands(
  dispatcher: JsonRpcDispatcher,
  params: Params,
  options: RequestOptions,
): Promise<ServerDescription> {
  // It is the one request that may not be cancelled (basic/utilities/cancellation).
  const answer = await dispatcher.request('initialize', params, { ...options, notifyCancel: false });
  const { protocolVersion, capabilities, serverInfo, instructions } = objectAnswer('initialize', answer);
  if (!(LEGACY_REVISIONS as readonly unknown[]).includes(protocolVersion)) {
    throw new MCPError(
      MCP_CODES.UNSUPPORTED_PROTOCOL_VERSION,
      `The server answers in revision ${JSON.stringify(protocolVersion)}, which this client does not speak`,
      { supported: [...LEGACY_REVISIONS] },
    );
  }
  const info = isJsonObject(serverInfo) ? serverInfo : {};
  return {
    revision: protocolVersion as string,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    info: { ...info, name: textOf(info.name), version: textOf(info.version) },
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
