import { isJsonObject } from '../../protocol/meta-keys.js';
import type { Method } from '../method.js';
import { invalidParams } from '../request-context.js';

export const subscriptionsListen: Method = {
  name: 'subscriptions/listen',
  answer({ notifications }, run) {
    if (!isJsonObject(notifications)) throw invalidParams('notifications must be an object');
    const { toolsListChanged } = notifications;
    if (toolsListChanged !== undefined && typeof toolsListChanged !== 'boolean') {
      throw invalidParams('notifications.toolsListChanged must be a boolean');
    }
    // Kinds this server does not have are left out of the acknowledgement, which is how the client learns of it.
    return run.extra.listen(toolsListChanged ? { toolsListChanged } : {}, run);
  },
};
