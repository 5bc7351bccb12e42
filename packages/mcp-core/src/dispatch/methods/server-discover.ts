import { MODERN_REVISIONS } from '../../protocol/revisions.js';
import { serverCapabilities } from '../capabilities.js';
import type { Method } from '../method.js';

export const serverDiscover: Method = {
  name: 'server/discover',
  answer(_params, { extra: { server, host, revision } }) {
    const { instructions } = server.snapshot;
    return {
      supportedVersions: [...MODERN_REVISIONS],
      capabilities: serverCapabilities(host, revision),
      ...(instructions === undefined ? {} : { instructions }),
      ...revision.cacheHints(),
      ...revision.envelope(server.implementation),
    };
  },
};
