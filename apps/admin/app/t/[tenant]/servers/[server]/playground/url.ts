import { parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs';
import { isObject, parseJson } from '@/lib/json';
import { capabilityNames, eras } from './_client/connection';

export const tabNames = ['tools', 'resources', 'prompts', 'notifications'] as const;
export type TabName = (typeof tabNames)[number];
export const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** What a link to the playground carries: everything but the run itself. */
export const urlKeys = {
  era: parseAsStringLiteral(eras).withDefault('2026-07-28'),
  caps: parseAsArrayOf(parseAsStringLiteral(capabilityNames)).withDefault([...capabilityNames]),
  level: parseAsStringLiteral(levels).withDefault('info'),
  tab: parseAsStringLiteral(tabNames).withDefault('tools'),
  tool: parseAsString,
  prompt: parseAsString,
  uri: parseAsString,
  args: parseAsString,
};

/** Longer arguments stay out of the address, which not everything in between would carry. */
const maxArgsChars = 4_000;

/** The arguments in a link; undefined if they are none. */
export function readArgs(text: string | null): Record<string, unknown> | undefined {
  if (!text) return undefined;
  const parsed = parseJson(text);
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
}

export function writeArgs(args: Record<string, unknown>): string | null {
  const text = JSON.stringify(args);
  return text === '{}' || text.length > maxArgsChars ? null : text;
}
