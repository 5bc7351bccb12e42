import type { SessionMessage } from '@gantry/contracts';
import { messageId } from './message-buffer';

export const lanes = ['in', 'out', 'notifications', 'streams'] as const;
export type Lane = (typeof lanes)[number];

/** A request with its answer, a stream from its opening to its end, or a notification. */
export interface Exchange {
  id: string;
  lane: Lane;
  direction: 'client' | 'server';
  method: string;
  /** Of the tool, prompt or resource. */
  name: string | undefined;
  requestId: string | number | undefined;
  /** Epoch milliseconds. */
  from: number;
  /** Undefined while it is open. */
  to: number | undefined;
  outcome: 'open' | 'ok' | 'error' | 'sent';
  node: string;
  /** Of what was sent, and of what was answered. */
  bytes: number;
  answerBytes: number | undefined;
}

/**
 * Joins messages, in the order of their times, to what they belong to. Of two open requests with one id (stateless clients
 * that are shown together may choose the same) the first of that method is answered first; an answer that does not say its
 * method goes by the id alone. A connection that closes is the youngest that shows its stream on its node. An answer whose
 * request is not kept stands with the time that it took.
 */
export function toExchanges(messages: readonly SessionMessage[]): Exchange[] {
  const all: Exchange[] = [];
  const open = new Map<string, Exchange[]>();
  const wait = (key: string, exchange: Exchange) => {
    const waiting = open.get(key);
    if (waiting) waiting.push(exchange);
    else open.set(key, [exchange]);
  };
  const take = (key: string, method: string | undefined) => {
    const waiting = open.get(key) ?? [];
    const at = waiting.findIndex((one) => method === undefined || one.method === method);
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  };
  for (const message of messages) {
    const at = Date.parse(message.at);
    if (message.kind === 'stream') {
      const key = `stream ${message.node} ${message.stream}`;
      const opened = message.name === 'close' ? open.get(key)?.pop() : undefined;
      if (opened) Object.assign(opened, { to: at, outcome: 'ok' });
      else {
        const closes = message.name === 'close';
        const stream = exchangeOf(message, 'streams', at, closes ? at : undefined, closes ? 'ok' : 'open');
        stream.name = undefined;
        all.push(stream);
        if (!closes) wait(key, stream);
      }
    } else if (message.kind === 'notification') {
      all.push(exchangeOf(message, 'notifications', at, at, 'sent'));
    } else if (message.kind === 'request') {
      const request = exchangeOf(message, message.direction === 'client' ? 'in' : 'out', at, undefined, 'open');
      all.push(request);
      wait(requestKey(message, message.direction), request);
    } else {
      const asker = message.direction === 'client' ? 'server' : 'client';
      const outcome = message.kind === 'error' ? 'error' : 'ok';
      const request = take(requestKey(message, asker), message.method);
      if (request) Object.assign(request, { to: at, outcome, answerBytes: message.bytes });
      else {
        const orphan = exchangeOf(
          message,
          asker === 'client' ? 'in' : 'out',
          at - (message.durationMs ?? 0),
          at,
          outcome,
        );
        all.push({ ...orphan, direction: asker, bytes: 0, answerBytes: message.bytes });
      }
    }
  }
  return all.sort((a, b) => a.from - b.from);
}

const requestKey = ({ requestId }: SessionMessage, asker: string) => `${asker} ${JSON.stringify(requestId)}`;

function exchangeOf(
  message: SessionMessage,
  lane: Lane,
  from: number,
  to: number | undefined,
  outcome: Exchange['outcome'],
): Exchange {
  const { direction, method = '', name, requestId, node, bytes } = message;
  return {
    id: messageId(message),
    lane,
    direction,
    method,
    name,
    requestId,
    from,
    to,
    outcome,
    node,
    bytes,
    answerBytes: undefined,
  };
}
