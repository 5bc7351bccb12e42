import { JSONRPC_VERSION, type JsonRpcMessage } from './messages.js';

/**
 * A value whose JSON text is known already. Our own transports copy the text into the message; for everyone else it
 * behaves as the value it stands for.
 */
export class PreEncoded {
  /** @param json the complete, valid JSON text of the value; it is not checked again */
  constructor(readonly json: string) {}

  toJSON(): unknown {
    return JSON.parse(this.json);
  }
}

/**
 * The JSON text of one message. A `PreEncoded` result is spliced in as it is.
 * @throws TypeError when the message holds something JSON cannot carry (a cycle, a BigInt, a function as result)
 */
export function encodeMessage(message: JsonRpcMessage): string {
  if (!('result' in message)) return JSON.stringify(message);
  const { id, result } = message;
  const text = result instanceof PreEncoded ? result.json : JSON.stringify(result);
  if (text === undefined) throw new TypeError(`A ${typeof result} cannot be encoded as a JSON result`);
  return `{"jsonrpc":"${JSONRPC_VERSION}","id":${JSON.stringify(id)},"result":${text}}`;
}
