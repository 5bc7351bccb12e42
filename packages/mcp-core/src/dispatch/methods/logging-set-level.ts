import { isLogLevel, LOG_LEVELS } from '../../protocol/log-levels.js';
import type { Method } from '../method.js';
import { invalidParams } from '../request-context.js';

export const loggingSetLevel: Method = {
  name: 'logging/setLevel',
  answer({ level }, { extra: { session } }) {
    if (!isLogLevel(level)) throw invalidParams(`level must be one of ${LOG_LEVELS.join(', ')}`);
    const stored = session?.setLogLevel(level);
    return stored instanceof Promise ? stored.then(() => ({})) : {};
  },
};
