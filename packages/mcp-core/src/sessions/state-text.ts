import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import { isJsonObject } from '../protocol/meta-keys.js';

/** The state of stateful tools may be this large, as JSON text. */
const MAX_STATE_BYTES = 1024 * 1024;

/** The state a run has left, as it is stored. @throws MCPError -32603 for what is no JSON object or too large */
export function stateText(state: unknown): string {
  if (!isJsonObject(state)) throw notStored('it must be a JSON object');
  let text: string;
  try {
    text = JSON.stringify(state);
  } catch {
    throw notStored('it cannot be encoded as JSON');
  }
  if (Buffer.byteLength(text) > MAX_STATE_BYTES) throw notStored(`it is larger than ${MAX_STATE_BYTES} bytes`);
  return text;
}

export function notStored(why: string): MCPError {
  return new MCPError(MCP_CODES.INTERNAL_ERROR, `The state of this session was not stored: ${why}`);
}
