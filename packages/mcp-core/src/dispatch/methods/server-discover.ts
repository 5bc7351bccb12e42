import { MODERN_REVISIONS } from '../../protocol/revisions.js';
import { serverCapabilities } from '../capabilities.js';
import type { Method } from '../method.js';

export const serverDiscover: Method = {
  name: 'server/discover',
  answer(_params, { extra: { server, revision } }) {
    const { instructions } = server.snapshot;
    return {
      supportedVersions: [...MODERN_REVISIONS],
      capabilities: serverCapabilities(server.snapshot, revision),
      ...(instructions === undefined ? {} : { instructions }),
      ...revision.cacheHints(),
      ...revision.envelope(server.implementation),
    };
  },
};
