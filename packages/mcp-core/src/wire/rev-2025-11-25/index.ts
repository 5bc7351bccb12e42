import { isObjectRooted, objectContent, readableContent, without, wrapSchema } from '../projection.js';
import type { Revision } from '../revision.js';

export const rev20251125: Revision = {
  name: '2025-11-25',
  era: 'session',
  methods: ['initialize', 'ping', 'logging/setLevel', 'tools/list', 'tools/call'],
  primesStreams: true,
  disconnectCancels: false,
  argumentFaults: 'tool-error',
  listedTool(tool) {
    const { outputSchema } = tool;
    return outputSchema === undefined || isObjectRooted(outputSchema)
      ? { ...tool }
      : { ...tool, outputSchema: wrapSchema(outputSchema) };
  },
  toolResult(outcome, tool) {
    const { structuredContent, isError = false, _meta } = outcome;
    const result: Record<string, unknown> = { content: readableContent(outcome), isError };
    if (structuredContent !== undefined) result.structuredContent = objectContent(structuredContent, tool);
    if (_meta !== undefined) result._meta = _meta;
    return result;
  },
  envelope: () => ({}),
  cacheHints: () => ({}),
  implementation: (server) => without(server),
};
