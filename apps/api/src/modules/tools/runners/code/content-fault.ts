import { isObject } from '../../../../common/json.js';

const requiredStrings: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
};

/** What keeps a value from being a list of content blocks, in words that say where; undefined when nothing does. */
export function contentFault(content: unknown): string | undefined {
  if (!Array.isArray(content)) return 'content must be a list of content blocks';
  for (const [index, block] of content.entries()) {
    const fault = blockFault(block, `content[${index}]`);
    if (fault) return fault;
  }
  return undefined;
}

/** What keeps a value from being one content block that some revision knows. `where` begins the words. */
export function blockFault(block: unknown, where: string): string | undefined {
  if (!isObject(block) || typeof block.type !== 'string') return `${where} must be an object with a type`;
  if (block.type === 'resource') {
    const { resource } = block;
    const body = isObject(resource) && (typeof resource.text === 'string' || typeof resource.blob === 'string');
    if (!body || typeof resource.uri !== 'string') return `${where}.resource must have a uri and a text or blob`;
    return undefined;
  }
  if (!Object.hasOwn(requiredStrings, block.type)) return `${where}.type ${JSON.stringify(block.type)} is not known`;
  const missing = requiredStrings[block.type]?.find((name) => typeof block[name] !== 'string');
  return missing && `${where}.${missing} must be a string`;
}
