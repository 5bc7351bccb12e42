import type { ContentBlock, ToolOutcome } from '@gantry/mcp-core';
import { isObject } from '../../../../common/json.js';
import { contentFault } from './content-fault.js';
import { deeperThan, maxJsonDepth } from './sandbox/json-depth.js';

/** A result with `isError`, in words the model can use. */
export function toolError(text: string): ToolOutcome {
  return { content: [{ type: 'text', text }], isError: true };
}

/**
 * What a function returned becomes a result: undefined is no content, a string is one text block, an object with
 * `content` or `structuredContent` is the result itself, and anything else is structured content with a text copy.
 * Content blocks that no revision knows are a fault of the tool and said so.
 */
export function outcomeOf(toolName: string, resultJson: string | undefined): ToolOutcome {
  if (resultJson === undefined) return { content: [] };
  if (deeperThan(maxJsonDepth, resultJson)) {
    return toolError(`Tool "${toolName}" failed: the result is nested more than ${maxJsonDepth} levels deep`);
  }
  const value: unknown = JSON.parse(resultJson);
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }] };
  if (!isObject(value) || !('content' in value || 'structuredContent' in value)) {
    return { content: [{ type: 'text', text: resultJson }], structuredContent: value };
  }
  const { structuredContent, isError, _meta } = value;
  const content = value.content ?? [{ type: 'text', text: JSON.stringify(structuredContent) }];
  const fault = contentFault(content);
  if (fault) return toolError(`Tool "${toolName}" failed: ${fault}`);
  if (_meta !== undefined && !isObject(_meta)) return toolError(`Tool "${toolName}" failed: _meta must be an object`);
  return {
    content: content as ContentBlock[],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError === true ? { isError } : {}),
    ...(_meta === undefined ? {} : { _meta }),
  };
}
