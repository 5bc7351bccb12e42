import { MCP_CODES, MCPError } from '../../jsonrpc/errors.js';
import { isJsonObject } from '../../protocol/meta-keys.js';
import { negotiate } from '../../wire/revisions.js';
import { serverCapabilities } from '../capabilities.js';
import type { Method } from '../method.js';
import { invalidParams } from '../request-context.js';

export const initialize: Method = {
  name: 'initialize',
  answer({ protocolVersion, capabilities = {}, clientInfo = {} }, { extra }) {
    if (extra.session !== undefined) {
      extra.refuseWith(400);
      throw new MCPError(MCP_CODES.INVALID_REQUEST, 'Invalid request: this session is initialized already');
    }
    if (!isJsonObject(capabilities)) throw invalidParams('capabilities must be an object');
    if (!isJsonObject(clientInfo)) throw invalidParams('clientInfo must be an object');
    const { server } = extra;
    const revision = negotiate(protocolVersion);
    const { instructions } = server.snapshot;
    const result = {
      protocolVersion: revision.name,
      capabilities: serverCapabilities(),
      serverInfo: revision.implementation(server.implementation),
      ...(instructions === undefined ? {} : { instructions }),
    };
    const opened = extra.open(revision, { ...namesOf(clientInfo), revision: revision.name, capabilities });
    return opened instanceof Promise ? opened.then(() => result) : result;
  },
};

/** Name and version, if the client gave them as text. */
export function namesOf(clientInfo: Readonly<Record<string, unknown>> | undefined): {
  name?: string;
  version?: string;
} {
  const { name, version } = clientInfo ?? {};
  return {
    ...(typeof name === 'string' ? { name: name.slice(0, 256) } : {}),
    ...(typeof version === 'string' ? { version: version.slice(0, 256) } : {}),
  };
}
