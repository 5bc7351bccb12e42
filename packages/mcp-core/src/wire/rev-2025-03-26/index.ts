import { oldestContent, readableContent, without } from '../projection.js';
import type { Revision } from '../revision.js';

export const rev20250326: Revision = {
  name: '2025-03-26',
  era: 'session',
  methods: ['initialize', 'ping', 'logging/setLevel', 'tools/list', 'tools/call'],
  primesStreams: false,
  disconnectCancels: false,
  argumentFaults: 'invalid-params',
  listedTool: (tool) => without(tool, 'title', 'icons', 'execution', 'outputSchema', '_meta'),
  toolResult(outcome) {
    const { isError = false, _meta } = outcome;
    const content = readableContent(outcome).map(oldestContent);
    return _meta === undefined ? { content, isError } : { content, isError, _meta };
  },
  envelope: () => ({}),
  cacheHints: () => ({}),
  implementation: ({ name, version }) => ({ name, version }),
};
