import type { JsonRpcMessage, RequestId } from '../jsonrpc/messages.js';
import type { SessionKey } from '../ports/session-store.js';
import type { SessionTracer, TracedMessage } from '../ports/session-tracer.js';

/** Messages of ours as they lie in the log: what they are is said at their beginning. */
const LOGGED =
  /^\{"jsonrpc":"2\.0",(?:"id":(?:("(?:[^"\\]|\\.){0,256}")|(-?\d{1,16})),)?(?:"method":"([^"\\]{1,128})"|"(result|error)":)/;

/**
 * Tells a tracer what a client has sent.
 * @param bytes of its JSON text, where it came alone
 */
export function traceReceived(
  tracer: SessionTracer | undefined,
  session: SessionKey,
  message: JsonRpcMessage,
  bytes?: number,
): void {
  if (tracer === undefined) return;
  const size = bytes ?? Buffer.byteLength(JSON.stringify(message));
  if (!('method' in message)) {
    tracer.message(session, {
      direction: 'client',
      kind: 'error' in message ? 'error' : 'response',
      requestId: message.id,
      bytes: size,
    });
    return;
  }
  const { method, params } = message;
  if ('id' in message && message.id !== undefined) {
    const requestId = message.id;
    tracer.message(session, {
      direction: 'client',
      kind: 'request',
      method,
      requestId,
      name: nameIn(params),
      bytes: size,
    });
    return;
  }
  const about = params?.requestId;
  const requestId = typeof about === 'string' || typeof about === 'number' ? about : undefined;
  tracer.message(session, { direction: 'client', kind: 'notification', method, requestId, bytes: size });
}

/** What a message of the log is. */
export function tracedEvent(json: string): TracedMessage {
  const found = LOGGED.exec(json);
  const traced = (kind: TracedMessage['kind'], requestId: RequestId | undefined, method?: string): TracedMessage => {
    return { direction: 'server', kind, method, requestId, bytes: Buffer.byteLength(json) };
  };
  if (found === null) {
    // A client may give its request an id of any length, which comes back in the answer.
    const message = JSON.parse(json) as JsonRpcMessage;
    return traced('error' in message ? 'error' : 'response', 'id' in message ? message.id : undefined);
  }
  const [, text, number, method, outcome] = found;
  const numeric = number === undefined ? undefined : Number(number);
  const requestId: RequestId | undefined = text === undefined ? numeric : JSON.parse(text);
  if (outcome !== undefined) return traced(outcome === 'error' ? 'error' : 'response', requestId);
  return traced(requestId === undefined ? 'notification' : 'request', requestId, own(method));
}

/** The same text without the long one that it was cut from, which it would keep in memory. */
function own<T extends string | undefined>(text: T): T {
  return (text === undefined ? text : Buffer.from(text).toString()) as T;
}

function nameIn(params: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const name = params?.name ?? params?.uri;
  return typeof name === 'string' ? name : undefined;
}
