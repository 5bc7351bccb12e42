import { MCP_CODES } from '../../jsonrpc/errors.js';
import { errorOfUrlElicitation } from '../error-codes.js';
import { isObjectRooted, objectContent, readableContent, without, wrapSchema } from '../projection.js';
import type { Revision } from '../revision.js';
import { questions } from './questions.js';
import { tasks } from './tasks.js';

export const rev20251125: Revision = {
  name: '2025-11-25',
  era: 'session',
  methods: [
    'initialize',
    'ping',
    'logging/setLevel',
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'resources/subscribe',
    'resources/unsubscribe',
    'prompts/list',
    'prompts/get',
    'completion/complete',
    'tasks/get',
    'tasks/list',
    'tasks/result',
    'tasks/cancel',
  ],
  batches: false,
  primesStreams: true,
  progressMessages: true,
  disconnectCancels: false,
  argumentFaults: 'tool-error',
  announcesCompletions: true,
  unknownResource: MCP_CODES.RESOURCE_NOT_FOUND,
  failedResource: MCP_CODES.RESOURCE_NOT_FOUND,
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
  listedPrompt: (prompt) => ({ ...prompt }),
  listedResource: (resource) => ({ ...resource }),
  listedResourceTemplate: (template) => ({ ...template }),
  promptResult: ({ description, messages, _meta }) => ({ description, messages, _meta }),
  resourceResult: ({ contents, _meta }) => ({ contents, _meta }),
  questions,
  tasks,
  carriedError: errorOfUrlElicitation,
  envelope: () => ({}),
  cacheHints: () => ({}),
  implementation: (server) => without(server),
};
