import { isJsonObject } from '../protocol/meta-keys.js';
import type {
  Annotations,
  ContentBlock,
  Prompt,
  PromptOutcome,
  ResourceContents,
  Tool,
  ToolOutcome,
} from '../protocol/types.js';
import { encodeJson } from '../protocol/well-formed.js';

/*
 * Steps by which a newer shape becomes an older one. Each copies what it changes and leaves its input alone.
 */

export type JsonObject = Record<string, unknown>;

export function without(value: object, ...names: string[]): JsonObject {
  const copy: JsonObject = { ...value };
  for (const name of names) delete copy[name];
  return copy;
}

/** Whether every value the schema admits is an object, as far as its root says. */
export function isObjectRooted(schema: JsonObject): boolean {
  return schema.type === 'object';
}

/**
 * The schema of `{result: value}` for a schema of `value`. References into the schema move with it; one that has an
 * `$id` resolves its references by itself and is left as it is.
 */
export function wrapSchema(schema: JsonObject): JsonObject {
  const { $schema, ...inner } = schema;
  const moved = typeof schema.$id === 'string' ? inner : moveRefs(inner);
  const wrapped: JsonObject = { type: 'object', properties: { result: moved }, required: ['result'] };
  return $schema === undefined ? wrapped : { $schema, ...wrapped };
}

function moveRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moveRefs);
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    const isRef = (key === '$ref' || key === '$dynamicRef') && typeof member === 'string';
    copy[key] =
      isRef && (member === '#' || member.startsWith('#/')) ? `#/properties/result${member.slice(1)}` : moveRefs(member);
  }
  return copy;
}

/** Structured content as revisions before 2026-07-28 demand it: an object, wrapped exactly when the schema is. */
export function objectContent(value: unknown, tool: Tool): unknown {
  const wraps = tool.outputSchema === undefined ? !isJsonObject(value) : !isObjectRooted(tool.outputSchema);
  return wraps ? { result: value } : value;
}

/** The content blocks, with a text copy of structured content if no block is there to read. */
export function readableContent({ content, structuredContent }: ToolOutcome): readonly ContentBlock[] {
  if (structuredContent === undefined || content.some(({ type }) => type === 'text')) return content;
  return [...content, { type: 'text', text: encodeJson(structuredContent) }];
}

/** Content for 2025-06-18: no icons. */
export function contentWithoutIcons(block: ContentBlock): ContentBlock {
  return block.type === 'resource_link' && block.icons !== undefined
    ? (without(block, 'icons') as unknown as ContentBlock)
    : block;
}

/** Content for 2025-03-26: links become text, `_meta` and `lastModified` go. */
export function oldestContent(block: ContentBlock): ContentBlock {
  if (block.type === 'resource_link') {
    return { type: 'text', text: block.description ? `${block.uri}\n${block.description}` : block.uri };
  }
  const copy = without(block, '_meta');
  if (block.annotations?.lastModified !== undefined) {
    copy.annotations = without(block.annotations, 'lastModified') as Annotations;
  }
  if (block.type === 'resource') copy.resource = without(block.resource, '_meta');
  return copy as unknown as ContentBlock;
}

/** A prompt's result whose messages carry content of another revision. */
export function withContent(outcome: PromptOutcome, content: (block: ContentBlock) => ContentBlock): PromptOutcome {
  const messages = outcome.messages.map((message) => ({ ...message, content: content(message.content) }));
  return { ...outcome, messages };
}

/** A prompt for 2025-03-26: no titles, icons or `_meta`. */
export function oldestPrompt(prompt: Prompt): JsonObject {
  const copy = without(prompt, 'title', 'icons', '_meta');
  if (prompt.arguments !== undefined) copy.arguments = prompt.arguments.map((argument) => without(argument, 'title'));
  return copy;
}

/** A resource or a template for 2025-03-26: no title, icons, `_meta` or `lastModified`. */
export function oldestResource(resource: { annotations?: Annotations }): JsonObject {
  const copy = without(resource, 'title', 'icons', '_meta');
  if (resource.annotations?.lastModified !== undefined) {
    copy.annotations = without(resource.annotations, 'lastModified');
  }
  return copy;
}

/** Contents for 2025-03-26: no `_meta`. */
export function oldestContents(contents: ResourceContents): ResourceContents {
  return without(contents, '_meta') as unknown as ResourceContents;
}
