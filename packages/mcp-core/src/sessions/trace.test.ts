import { describe, expect, it } from 'vitest';
import {
  errorMessage,
  notificationMessage,
  type RequestId,
  requestMessage,
  resultMessage,
} from '../jsonrpc/messages.js';
import { tracedEvent } from './trace.js';

describe('a message of the log', () => {
  it.each<RequestId>([1, 0, -7, 'x', '', 'say "hi" \\ "method":"no"', 'ü'.repeat(300)])(
    'that answers %j is a response or an error to it, not a notification',
    (requestId) => {
      const result = JSON.stringify(resultMessage(requestId, { error: 'no', method: 'no' }));
      const bytes = Buffer.byteLength(result);
      expect(tracedEvent(result)).toEqual({ direction: 'server', kind: 'response', requestId, bytes });
      expect(tracedEvent(JSON.stringify(errorMessage(requestId, -1, 'no')))).toMatchObject({
        kind: 'error',
        requestId,
      });
    },
  );

  it('that asks or tells something says its method', () => {
    const asked = tracedEvent(JSON.stringify(requestMessage('q', 'roots/list')));
    expect(asked).toMatchObject({ kind: 'request', method: 'roots/list', requestId: 'q' });
    const told = tracedEvent(JSON.stringify(notificationMessage('notifications/progress', { id: 1, result: 1 })));
    expect(told).toMatchObject({ kind: 'notification', method: 'notifications/progress', requestId: undefined });
  });
});
