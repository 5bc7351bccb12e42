import { MCP_CODES } from '../../jsonrpc/errors.js';
import { withoutUrlElicitation } from '../error-codes.js';
import { contentWithoutIcons, withContent, without } from '../projection.js';
import { rev20251125 } from '../rev-2025-11-25/index.js';
import type { Revision } from '../revision.js';
import { questions } from './questions.js';

export const rev20250618: Revision = {
  name: '2025-06-18',
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
  batches: false,
  primesStreams: false,
  progressMessages: true,
  disconnectCancels: false,
  argumentFaults: 'invalid-params',
  announcesCompletions: true,
  unknownResource: MCP_CODES.RESOURCE_NOT_FOUND,
  failedResource: MCP_CODES.RESOURCE_NOT_FOUND,
  listedTool: (tool) => without(rev20251125.listedTool(tool), 'icons', 'execution'),
  toolResult(outcome, tool, server) {
    return rev20251125.toolResult({ ...outcome, content: outcome.content.map(contentWithoutIcons) }, tool, server);
  },
  listedPrompt: (prompt) => without(prompt, 'icons'),
  listedResource: (resource) => without(resource, 'icons'),
  listedResourceTemplate: (template) => without(template, 'icons'),
  promptResult: (outcome, server) => rev20251125.promptResult(withContent(outcome, contentWithoutIcons), server),
  resourceResult: rev20251125.resourceResult,
  questions,
  carriedError: withoutUrlElicitation,
  envelope: () => ({}),
  cacheHints: () => ({}),
  implementation: (server) => without(server, 'description', 'websiteUrl', 'icons'),
};
