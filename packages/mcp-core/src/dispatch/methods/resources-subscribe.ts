import { MCP_CODES, MCPError } from '../../jsonrpc/errors.js';
import { MAX_SUBSCRIPTIONS } from '../limits.js';
import type { Method } from '../method.js';
import { existing, uriOf } from '../resource-access.js';

export const resourcesSubscribe: Method = {
  name: 'resources/subscribe',
  needs: 'resources',
  answer(params, { extra }) {
    const uri = uriOf(params);
    existing(extra, uri);
    const subscribed = extra.session?.subscribe(uri);
    return subscribed instanceof Promise ? subscribed.then(settle) : settle(subscribed);
  },
};

export const resourcesUnsubscribe: Method = {
  name: 'resources/unsubscribe',
  needs: 'resources',
  answer(params, { extra: { session } }) {
    const uri = uriOf(params);
    const done = session?.unsubscribe(uri);
    return done instanceof Promise ? done.then(() => ({})) : {};
  },
};

function settle(outcome: 'subscribed' | 'full' | undefined): object {
  if (outcome !== 'full') return {};
  throw new MCPError(
    MCP_CODES.INVALID_PARAMS,
    `This session has ${MAX_SUBSCRIPTIONS} subscriptions, as many as it may have`,
  );
}
