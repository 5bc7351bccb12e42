import { MCP_CODES, MCPError } from '../../jsonrpc/errors.js';
import type { ClientInfo } from '../../ports/tool-runner.js';
import { isJsonObject } from '../../protocol/meta-keys.js';
import type { ClientCapabilities } from '../../protocol/types.js';
import { negotiate } from '../../wire/revisions.js';
import { serverCapabilities } from '../capabilities.js';
import type { Method } from '../method.js';
import { invalidParams } from '../request-context.js';

/** Characters of JSON text that client capabilities may have: a session keeps them as long as it lives. */
const MAX_CAPABILITIES_LENGTH = 64 * 1024;

export const initialize: Method = {
  name: 'initialize',
  answer({ protocolVersion, capabilities = {}, clientInfo = {} }, { extra }) {
    if (extra.session !== undefined) {
      extra.refuseWith(400);
      throw new MCPError(MCP_CODES.INVALID_REQUEST, 'Invalid request: this session is initialized already');
    }
    if (!isJsonObject(capabilities)) throw invalidParams('capabilities must be an object');
    if (JSON.stringify(capabilities).length > MAX_CAPABILITIES_LENGTH) {
      throw invalidParams(`capabilities are longer than ${MAX_CAPABILITIES_LENGTH} characters`);
    }
    if (!isJsonObject(clientInfo)) throw invalidParams('clientInfo must be an object');
    const { server, host } = extra;
    const revision = negotiate(protocolVersion);
    const { instructions } = server.snapshot;
    const result = {
      protocolVersion: revision.name,
      capabilities: serverCapabilities(host, revision),
      serverInfo: revision.implementation(server.implementation),
      ...(instructions === undefined ? {} : { instructions }),
    };
    const opened = extra.open(revision, clientOf(clientInfo, revision.name, capabilities));
    return opened instanceof Promise ? opened.then(() => result) : result;
  },
};

/** A client as it presents itself; name and version only if they are text, and not endless. */
export function clientOf(
  clientInfo: Readonly<Record<string, unknown>> | undefined,
  revision: string,
  capabilities: ClientCapabilities,
): ClientInfo {
  return { name: short(clientInfo?.name), version: short(clientInfo?.version), revision, capabilities };
}

function short(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  // Copied, because a slice would keep the whole of it in memory.
  return value.length > 256 ? Buffer.from(value.slice(0, 256)).toString() : value;
}
