import { SERVER_INFO_KEY } from '../../protocol/meta-keys.js';
import { readableContent } from '../projection.js';
import type { Revision } from '../revision.js';

export const rev20260728: Revision = {
  name: '2026-07-28',
  era: 'stateless',
  methods: ['server/discover', 'tools/list', 'tools/call', 'subscriptions/listen'],
  primesStreams: false,
  disconnectCancels: true,
  argumentFaults: 'tool-error',
  listedTool: (tool) => ({ ...tool }),
  toolResult(outcome, _tool, server) {
    const { structuredContent, isError = false, _meta } = outcome;
    const result: Record<string, unknown> = { resultType: 'complete', content: readableContent(outcome), isError };
    if (structuredContent !== undefined) result.structuredContent = structuredContent;
    result._meta = _meta === undefined ? { [SERVER_INFO_KEY]: server } : { ..._meta, [SERVER_INFO_KEY]: server };
    return result;
  },
  envelope: (server) => ({ resultType: 'complete', _meta: { [SERVER_INFO_KEY]: server } }),
  cacheHints: () => ({ ttlMs: 0, cacheScope: 'private' }),
  implementation: (server) => ({ ...server }),
};
