import type { ContentBlock, ToolOutcome } from '@gantry/mcp-core';
import { isObject } from '../../../../common/json.js';
import type { CodeLimits, LimitName, RunEnd } from './sandbox/messages.js';

/** A result with `isError`, in words the model can use. */
export function toolError(text: string): ToolOutcome {
  return { content: [{ type: 'text', text }], isError: true };
}

export function limitText(toolName: string, limit: LimitName, limits: CodeLimits): string {
  const what: Record<LimitName, string> = {
    cpu: `its CPU time limit of ${limits.cpuMs} ms`,
    memory: `its memory limit of ${limits.memoryBytes} bytes`,
    wall: `its time limit of ${limits.wallMs} ms`,
    output: `its output limit of ${limits.outputBytes} bytes`,
    pendingCalls: `its limit of ${limits.pendingCalls} host calls at one time`,
    messages: `its limit of ${limits.messages} messages or ${limits.messageBytes} bytes of them in one call`,
  };
  return `Tool "${toolName}" was stopped: it reached ${what[limit]}.`;
}

/** The text of an error that tenant code threw, with the tenant's own line where it is known. */
export function thrownText(toolName: string, end: Extract<RunEnd, { how: 'threw' }>): string {
  const place = end.line === undefined ? '' : ` (line ${end.line})`;
  return `Tool "${toolName}" failed: ${end.message}${place}`;
}

/**
 * What a function returned becomes a result: undefined is no content, a string is one text block, an object with
 * `content` or `structuredContent` is the result itself, and anything else is structured content with a text copy.
 * Content blocks that no revision knows are a fault of the tool and said so.
 */
export function outcomeOf(toolName: string, resultJson: string | undefined): ToolOutcome {
  if (resultJson === undefined) return { content: [] };
  if (deeperThan(maxDepth, resultJson)) {
    return toolError(`Tool "${toolName}" failed: the result is nested more than ${maxDepth} levels deep`);
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

const requiredStrings: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
};

function contentFault(content: unknown): string | undefined {
  if (!Array.isArray(content)) return 'content must be a list of content blocks';
  for (const [index, block] of content.entries()) {
    const where = `content[${index}]`;
    if (!isObject(block) || typeof block.type !== 'string') return `${where} must be an object with a type`;
    if (block.type === 'resource') {
      const { resource } = block;
      const body = isObject(resource) && (typeof resource.text === 'string' || typeof resource.blob === 'string');
      if (!body || typeof resource.uri !== 'string') return `${where}.resource must have a uri and a text or blob`;
      continue;
    }
    if (!Object.hasOwn(requiredStrings, block.type)) return `${where}.type ${JSON.stringify(block.type)} is not known`;
    const missing = requiredStrings[block.type]?.find((name) => typeof block[name] !== 'string');
    if (missing) return `${where}.${missing} must be a string`;
  }
  return undefined;
}

/** Deeper results would overflow the stack of whoever walks them. */
const maxDepth = 256;

function deeperThan(levels: number, json: string): boolean {
  if (json.length < 2 * levels) return false;
  let depth = 0;
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (char === '"') {
      for (i++; i < json.length && json[i] !== '"'; i++) if (json[i] === '\\') i++;
    } else if (char === '[' || char === '{') {
      if (++depth > levels) return true;
    } else if (char === ']' || char === '}') depth--;
  }
  return false;
}
