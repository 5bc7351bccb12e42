import type { QueryStyle } from '@gantry/contracts';
import { valueText } from '../template/slots.js';
import { encodePair, encodeStrict } from './encode.js';

const DELIMITERS = { form: ',', spaceDelimited: '%20', pipeDelimited: '%7C' } as const;

/**
 * One argument as encoded `name=value` pairs; nothing, an empty list and an empty object are no parameter. Without a style a
 * list repeats its name and an object is JSON; with one both stand as OpenAPI 3 has it (Parameter Object, style values).
 */
export function queryPairs(name: string, value: unknown, given?: QueryStyle): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [encodePair(name, valueText(value))];
  if (given === undefined) {
    if (!Array.isArray(value)) return [encodePair(name, valueText(value))];
    return value.map((item) => encodePair(name, valueText(item)));
  }
  const { style = 'form', explode = style === 'form' } = given;
  if (style === 'deepObject') return deepPairs(encodeStrict(name), value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  if (members.length === 0) return [];
  if (explode) return members.map(([key, member]) => encodePair(Array.isArray(value) ? name : key, valueText(member)));
  const words = Array.isArray(value) ? members.map(([, item]) => item) : members.flat();
  return [`${encodeStrict(name)}=${words.map((word) => encodeStrict(valueText(word))).join(DELIMITERS[style])}`];
}

/** `name[key]=value`, as deep as the object is; a list in it repeats its key. */
function deepPairs(path: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => deepPairs(path, item));
  if (typeof value !== 'object') return [`${path}=${encodeStrict(valueText(value))}`];
  return Object.entries(value).flatMap(([key, member]) => deepPairs(`${path}%5B${encodeStrict(key)}%5D`, member));
}
