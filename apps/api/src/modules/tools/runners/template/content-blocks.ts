import { isBase64 } from '../../../../common/base64.js';
import { pointer } from '../../../../common/http/json-faults.js';
import { isObject } from '../../../../common/json.js';
import type { Notes } from '../compiled.js';

type Kind = 'string' | 'base64' | 'object' | 'array' | 'number';
type Shape = Readonly<Record<string, readonly [Kind, 'required' | 'optional']>>;

const common: Shape = {
  type: ['string', 'required'],
  annotations: ['object', 'optional'],
  _meta: ['object', 'optional'],
};
const media: Shape = { ...common, data: ['base64', 'required'], mimeType: ['string', 'required'] };

/** The content blocks of MCP 2025-06-18 and later ("ContentBlock" in its schema). */
const shapes: Readonly<Record<string, Shape>> = {
  text: { ...common, text: ['string', 'required'] },
  image: media,
  audio: media,
  resource: { ...common, resource: ['object', 'required'] },
  resource_link: {
    ...common,
    uri: ['string', 'required'],
    name: ['string', 'required'],
    title: ['string', 'optional'],
    description: ['string', 'optional'],
    mimeType: ['string', 'optional'],
    size: ['number', 'optional'],
    icons: ['array', 'optional'],
  },
};

const contents: Shape = {
  uri: ['string', 'required'],
  mimeType: ['string', 'optional'],
  text: ['string', 'optional'],
  blob: ['base64', 'optional'],
  _meta: ['object', 'optional'],
};

/** Checks that a block of a template is one a client will understand, whatever its slots are filled with. */
export function checkContentBlock(block: unknown, at: string, notes: Notes): void {
  if (!isObject(block)) {
    notes.fault(at, 'expected a content block, an object with "type"');
    return;
  }
  const shape = typeof block.type === 'string' && Object.hasOwn(shapes, block.type) ? shapes[block.type] : undefined;
  if (shape === undefined) {
    notes.fault(`${at}/type`, `expected one of ${Object.keys(shapes).join(', ')}`);
    return;
  }
  checkShape(block, shape, at, notes);
  if (block.type !== 'resource' || !isObject(block.resource)) return;
  checkShape(block.resource, contents, `${at}/resource`, notes);
  if ('text' in block.resource === 'blob' in block.resource) {
    notes.fault(`${at}/resource`, 'expected exactly one of "text" and "blob"');
  }
}

function checkShape(node: Record<string, unknown>, shape: Shape, at: string, notes: Notes): void {
  for (const key of Object.keys(node)) {
    if (!Object.hasOwn(shape, key)) notes.fault(at + pointer(key), 'unknown field');
  }
  for (const [key, [kind, need]] of Object.entries(shape)) {
    const value = node[key];
    if (value === undefined) {
      if (need === 'required') notes.fault(at + pointer(key), `missing: expected ${words[kind]}`);
    } else if (!matches(value, kind)) notes.fault(at + pointer(key), `expected ${words[kind]}`);
  }
}

const words: Readonly<Record<Kind, string>> = {
  string: 'a string',
  base64: 'base64 text',
  object: 'an object',
  array: 'an array',
  number: 'a number',
};

function matches(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'base64':
      // With a slot in it, what comes out depends on the call.
      return typeof value === 'string' && (value.includes('{') || isBase64(value));
    default:
      return typeof value === kind;
  }
}
