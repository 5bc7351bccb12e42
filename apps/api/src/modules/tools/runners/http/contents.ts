import { type ResourceContents, RunFailure } from '@gantry/mcp-core';
import type { BoundedBody, EgressResponse } from '../../../../infra/egress/index.js';
import { type AnswerContext, cleanJsonText, decode, facts, faultOf, isJson, isText } from './answer.js';

/**
 * What reading a resource gives when its backend answered. 2xx: text of any kind, JSON included, is text; anything else
 * is a blob; both with the backend's media type, or the resource's own where the backend names none.
 * @throws RunFailure for every other status, with an excerpt of the body, and for a body over the limit.
 */
export function contentsOf(
  head: EgressResponse,
  body: BoundedBody,
  context: AnswerContext,
  { uri, mimeType }: { readonly uri: string; readonly mimeType?: string | undefined },
): ResourceContents {
  const fault = faultOf(head, body, context);
  if (fault !== undefined) throw new RunFailure(`${context.subject} cannot be read. ${fault}`);
  const { mask } = context;
  const { type } = facts(head, mask);
  const shown = type.essence || mimeType;
  const about = { uri, ...(shown === undefined ? {} : { mimeType: shown }) };
  if (body.bytes.length > 0 && !isText(type, body.bytes)) {
    return { ...about, blob: mask.bytes(body.bytes).toString('base64') };
  }
  const text = mask.text(decode(type, body.bytes).value);
  return { ...about, text: isJson(type) ? cleanJsonText(text, mask) : text };
}
