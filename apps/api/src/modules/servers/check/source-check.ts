import { isObject } from '../../../common/json.js';
import type { Findings } from './verdict.js';

/** Says when something names no source, or several; gives back those it names. */
export function namedSources<Kind extends string>(
  item: Readonly<Record<string, unknown>>,
  kinds: readonly Kind[],
  word: string,
  path: readonly PropertyKey[],
  findings: Findings,
): Kind[] {
  const named = kinds.filter((kind) => item[kind] !== undefined);
  if (named.length !== 1) {
    const found = named.length === 0 ? 'has none' : `has ${named.join(' and ')}`;
    findings.fault(path, `must have exactly one ${word} (${kinds.join(', ')}), but ${found}`);
  }
  return named;
}

/** @param whom who chooses by the description */
export function warnUndescribed(
  item: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
  findings: Findings,
  whom: string,
): void {
  if (typeof item.description !== 'string' || item.description.trim() === '') {
    findings.warn(path, `has no description: ${whom} by it`);
  }
}

/** The input schema of something whose arguments are named texts. */
export function schemaOfNames(names: Iterable<string>): Readonly<Record<string, unknown>> {
  return { type: 'object', properties: Object.fromEntries([...names].map((name) => [name, { type: 'string' }])) };
}

/**
 * Says of each item whose `key` is that of an earlier one.
 * @param canonical equal for what is the same key
 */
export function faultDuplicates(
  items: readonly unknown[],
  key: string,
  path: readonly PropertyKey[],
  findings: Findings,
  message: (value: string, earlier: number) => string,
  canonical: (value: string) => string = (value) => value,
): void {
  const first = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const value = isObject(item) ? item[key] : undefined;
    if (typeof value !== 'string') continue;
    const same = canonical(value);
    const earlier = first.get(same);
    if (earlier === undefined) first.set(same, index);
    else findings.fault([...path, index, key], message(value, earlier));
  }
}
