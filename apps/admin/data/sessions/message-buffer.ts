import type { SessionMessage } from '@gantry/contracts';

/** How many messages a page keeps, and how many wait while it is paused. */
export const maxMessages = 5_000;
export const maxWaiting = 1_000;

export interface MessageBuffer {
  /** In the order of their times. */
  messages: readonly SessionMessage[];
  /** Older ones that are not kept: by the nodes, or here. */
  dropped: number;
  paused: boolean;
  /** What came since the pause, the newest `maxWaiting`. */
  waiting: readonly SessionMessage[];
  /** What came since the pause and was not kept. */
  missed: number;
}

export const emptyBuffer: MessageBuffer = { messages: [], dropped: 0, paused: false, waiting: [], missed: 0 };

export type BufferAction =
  | { type: 'add'; messages: readonly SessionMessage[]; dropped?: number }
  | { type: 'pause' }
  | { type: 'follow' };

/** One message, however often it is told of. */
export const messageId = ({ node, sequence }: SessionMessage) => `${node}/${sequence}`;

export function reduceBuffer(buffer: MessageBuffer, action: BufferAction): MessageBuffer {
  switch (action.type) {
    case 'add': {
      const dropped = Math.max(buffer.dropped, action.dropped ?? 0);
      if (!buffer.paused) {
        const { kept, lost } = join(buffer.messages, action.messages, maxMessages);
        return { ...buffer, messages: kept, dropped: dropped + lost };
      }
      const known = new Set(buffer.messages.map(messageId));
      const fresh = action.messages.filter((message) => !known.has(messageId(message)));
      const { kept, lost } = join(buffer.waiting, fresh, maxWaiting);
      return { ...buffer, waiting: kept, missed: buffer.missed + lost, dropped };
    }
    case 'pause':
      return { ...buffer, paused: true };
    case 'follow': {
      const { kept, lost } = join(buffer.messages, buffer.waiting, maxMessages);
      return { messages: kept, dropped: buffer.dropped + lost + buffer.missed, paused: false, waiting: [], missed: 0 };
    }
  }
}

/** Both lists in the order of their times, each message once; the newest `max` of them. */
function join(before: readonly SessionMessage[], more: readonly SessionMessage[], max: number) {
  const known = new Set(before.map(messageId));
  const fresh = more.filter((message) => !known.has(messageId(message)) && known.add(messageId(message)));
  if (fresh.length === 0) return { kept: before, lost: 0 };
  const all = [...before, ...fresh].sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at) || (a.node === b.node ? a.sequence - b.sequence : 0),
  );
  const lost = Math.max(0, all.length - max);
  return { kept: all.slice(lost), lost };
}
