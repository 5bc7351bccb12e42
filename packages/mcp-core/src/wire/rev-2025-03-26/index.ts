import { MCP_CODES } from '../../jsonrpc/errors.js';
import { withoutUrlElicitation } from '../error-codes.js';
import {
  oldestContent,
  oldestContents,
  oldestPrompt,
  oldestResource,
  readableContent,
  withContent,
  without,
} from '../projection.js';
import type { Revision } from '../revision.js';
import { questions } from './questions.js';

export const rev20250326: Revision = {
  name: '2025-03-26',
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
  ],
  batches: true,
  primesStreams: false,
  progressMessages: true,
  disconnectCancels: false,
  argumentFaults: 'invalid-params',
  announcesCompletions: true,
  unknownResource: MCP_CODES.RESOURCE_NOT_FOUND,
  failedResource: MCP_CODES.RESOURCE_NOT_FOUND,
  listedTool: (tool) => without(tool, 'title', 'icons', 'execution', 'outputSchema', '_meta'),
  toolResult(outcome) {
    const { isError = false, _meta } = outcome;
    const content = readableContent(outcome).map(oldestContent);
    return _meta === undefined ? { content, isError } : { content, isError, _meta };
  },
  listedPrompt: oldestPrompt,
  listedResource: oldestResource,
  listedResourceTemplate: oldestResource,
  promptResult(outcome) {
    const { description, messages, _meta } = withContent(outcome, oldestContent);
    return { description, messages, _meta };
  },
  resourceResult: ({ contents, _meta }) => ({ contents: contents.map(oldestContents), _meta }),
  questions,
  carriedError: withoutUrlElicitation,
  envelope: () => ({}),
  cacheHints: () => ({}),
  implementation: ({ name, version }) => ({ name, version }),
};
