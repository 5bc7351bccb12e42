import { contentWithoutIcons, without } from '../projection.js';
import { rev20251125 } from '../rev-2025-11-25/index.js';
import type { Revision } from '../revision.js';

export const rev20250618: Revision = {
  name: '2025-06-18',
  era: 'session',
  methods: ['initialize', 'ping', 'logging/setLevel', 'tools/list', 'tools/call'],
  primesStreams: false,
  disconnectCancels: false,
  argumentFaults: 'invalid-params',
  listedTool: (tool) => without(rev20251125.listedTool(tool), 'icons', 'execution'),
  toolResult(outcome, tool, server) {
    return rev20251125.toolResult({ ...outcome, content: outcome.content.map(contentWithoutIcons) }, tool, server);
  },
  envelope: () => ({}),
  cacheHints: () => ({}),
  implementation: (server) => without(server, 'description', 'websiteUrl', 'icons'),
};
