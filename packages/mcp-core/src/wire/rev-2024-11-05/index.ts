import type { ContentBlock } from '../../protocol/types.js';
import { oldestContent, readableContent, withContent, without } from '../projection.js';
import { rev20250326 } from '../rev-2025-03-26/index.js';
import type { Revision } from '../revision.js';
import { questions } from './questions.js';

/** Embedded resources have an address, and sound that became one has none of its own. */
const SOUND_URI = 'audio:content';

export const rev20241105: Revision = {
  ...rev20250326,
  name: '2024-11-05',
  batches: false,
  progressMessages: false,
  announcesCompletions: false,
  listedTool: (tool) => without(rev20250326.listedTool(tool), 'annotations'),
  toolResult(outcome, tool, server) {
    return rev20250326.toolResult({ ...outcome, content: readableContent(outcome).map(silentContent) }, tool, server);
  },
  promptResult: (outcome, server) => rev20250326.promptResult(withContent(outcome, silentContent), server),
  questions,
};

/** Content without audio, which is carried as an embedded resource. */
function silentContent(block: ContentBlock): ContentBlock {
  if (block.type !== 'audio') return oldestContent(block);
  const { data: blob, mimeType, annotations } = block;
  const resource = { uri: SOUND_URI, mimeType, blob };
  return oldestContent({ type: 'resource', resource, ...(annotations && { annotations }) });
}
