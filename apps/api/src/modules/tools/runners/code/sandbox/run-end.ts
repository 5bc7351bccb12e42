import type { RunEnd } from './messages.js';

/** Where in the tenant's source the error arose: the first frame of its stack that lies there. */
export function placeOf(error: { readonly stack?: string | undefined }): { line?: number; column?: number } {
  const found = /\btool\.js:(\d+)(?::(\d+))?/.exec(error.stack ?? '');
  if (!found) return {};
  return { line: Number(found[1]), ...(found[2] ? { column: Number(found[2]) } : {}) };
}

/**
 * How the library says that the function ended. Tenant code can bend it, so nothing of it is taken unseen.
 * @param asked makes the end of a function that gave questions back, from their JSON and that of its request state
 */
export function readEnd(
  json: string,
  resultJson: string | undefined,
  stateJson: string | undefined,
  asked: (requestsJson: string, requestStateJson: string | undefined) => RunEnd,
): RunEnd {
  try {
    const end = JSON.parse(json) as Record<string, unknown>;
    const message = String(end.message);
    if (end.how === 'returned') return { how: 'returned', resultJson, stateJson };
    if (end.how === 'input-needed') {
      const asking = asked(String(resultJson), stateJson);
      return asking.how === 'input-needed' && end.detaches === true ? { ...asking, detaches: true } : asking;
    }
    if (end.how === 'threw') {
      return { how: 'threw', message, stateJson, ...(typeof end.line === 'number' ? { line: end.line } : {}) };
    }
    if (end.how === 'protocol-error' && typeof end.code === 'number') {
      const dataJson = typeof end.dataJson === 'string' ? end.dataJson : undefined;
      return { how: 'protocol-error', code: end.code, message, dataJson, stateJson };
    }
  } catch {
    // Said below.
  }
  return { how: 'threw', message: 'the end of the call cannot be read' };
}
