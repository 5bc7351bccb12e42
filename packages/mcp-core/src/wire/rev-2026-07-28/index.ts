import { MCP_CODES } from '../../jsonrpc/errors.js';
import { SERVER_INFO_KEY } from '../../protocol/meta-keys.js';
import type { Implementation } from '../../protocol/types.js';
import { modernError } from '../error-codes.js';
import { readableContent, without } from '../projection.js';
import type { Revision } from '../revision.js';
import { questions } from './questions.js';
import { tasks } from './tasks.js';

const CACHE_HINTS = Object.freeze({ ttlMs: 0, cacheScope: 'private' });

export const rev20260728: Revision = {
  name: '2026-07-28',
  era: 'stateless',
  methods: [
    'server/discover',
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'prompts/list',
    'prompts/get',
    'completion/complete',
    'subscriptions/listen',
    'tasks/get',
    'tasks/update',
    'tasks/cancel',
  ],
  batches: false,
  primesStreams: false,
  progressMessages: true,
  disconnectCancels: true,
  argumentFaults: 'tool-error',
  announcesCompletions: true,
  unknownResource: MCP_CODES.INVALID_PARAMS,
  failedResource: MCP_CODES.INTERNAL_ERROR,
  listedTool: (tool) => without(tool, 'execution'),
  toolResult(outcome, _tool, server) {
    const { structuredContent, isError = false, _meta } = outcome;
    const result: Record<string, unknown> = { resultType: 'complete', content: readableContent(outcome), isError };
    if (structuredContent !== undefined) result.structuredContent = structuredContent;
    result._meta = signed(_meta, server);
    return result;
  },
  listedPrompt: (prompt) => ({ ...prompt }),
  listedResource: (resource) => ({ ...resource }),
  listedResourceTemplate: (template) => ({ ...template }),
  promptResult: ({ description, messages, _meta }, server) => ({
    resultType: 'complete',
    description,
    messages,
    _meta: signed(_meta, server),
  }),
  resourceResult: ({ contents, _meta }, server) => ({
    resultType: 'complete',
    contents,
    ...CACHE_HINTS,
    _meta: signed(_meta, server),
  }),
  questions,
  tasks,
  carriedError: modernError,
  envelope: (server) => ({ resultType: 'complete', _meta: { [SERVER_INFO_KEY]: server } }),
  cacheHints: () => CACHE_HINTS,
  implementation: (server) => ({ ...server }),
};

function signed(meta: object | undefined, server: Implementation): Record<string, unknown> {
  return { ...meta, [SERVER_INFO_KEY]: server };
}
