import type { JsonRpcResponse, NodeMessage } from '@gantry/mcp-core';
import { z } from 'zod';

const session = z.object({ server: z.string(), owner: z.string(), id: z.string() });
const id = z.union([z.string(), z.number()]);
const response = z.looseObject({ jsonrpc: z.literal('2.0') }) as unknown as z.ZodType<JsonRpcResponse>;

const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cancel'), session, request: z.string(), reason: z.string().optional() }),
  z.object({ kind: z.literal('answer'), session, response }),
  z.object({ kind: z.literal('initialized'), session }),
  z.object({ kind: z.literal('runs'), session, node: z.string(), request: id, over: z.boolean() }),
  z.object({ kind: z.literal('end'), session }),
  /** Something was kept that is too long to be said. */
  z.object({ kind: z.literal('look'), session }),
]);

export type Said = z.infer<typeof messageSchema>;

/** What one node has said: a name of its own, unlike that of any other word, and the message. */
export interface NodeWord {
  readonly name: string;
  readonly said: Said | NodeMessage;
}

/** A word that was kept: for one node, or for all but the one it is from. */
export interface KeptWord extends NodeWord {
  readonly from: string;
  readonly to: string;
}

export function encodeWord({ name, said }: NodeWord): string {
  return `${name} ${JSON.stringify(said)}`;
}

/** Undefined for what no node of this version says. */
export function decodeWord(text: string): { name: string; said: Said } | undefined {
  const end = text.indexOf(' ');
  const said = messageSchema.safeParse(parsed(text.slice(end + 1)));
  return end > 0 && said.success ? { name: text.slice(0, end), said: said.data } : undefined;
}

export function encodeKept({ from, to, ...word }: KeptWord): string {
  return `${from} ${to} ${encodeWord(word)}`;
}

export function decodeKept(text: string): (ReturnType<typeof decodeWord> & { from: string; to: string }) | undefined {
  const [from = '', to = ''] = text.split(' ', 2);
  const word = decodeWord(text.slice(from.length + to.length + 2));
  return word && { ...word, from, to };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
