import { type JsonRpcNotification, notificationMessage } from '../jsonrpc/messages.js';
import type { ServerChange } from '../ports/change-bus.js';

/** A change in the words of the protocol; the same in all revisions but for `_meta`. */
export function changeNotification(change: Exclude<ServerChange, { kind: 'task' }>): JsonRpcNotification {
  switch (change.kind) {
    case 'list':
      return notificationMessage(`notifications/${change.list}/list_changed`);
    case 'resource':
      return notificationMessage('notifications/resources/updated', { uri: change.uri });
    case 'message': {
      const { level, logger, data } = change;
      return notificationMessage(
        'notifications/message',
        logger === undefined ? { level, data } : { level, logger, data },
      );
    }
  }
}
