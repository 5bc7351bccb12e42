import { pointer } from '../../../../common/http/json-faults.js';
import type { Notes } from '../compiled.js';
import { type Arguments, argument, type Part, parseSlots, TextTemplate } from './slots.js';

/** Makes a JSON value out of arguments. Parts without slots are shared between calls: nobody may change them. */
export interface JsonTemplate {
  /** Argument names used anywhere, once each. */
  readonly slots: readonly string[];
  /** `undefined` when the whole value is one slot whose argument is missing. */
  fill(args: Arguments): unknown;
}

export interface JsonTemplateOptions {
  /** A string that is exactly one slot becomes the argument itself, of its own type; without it, its text. */
  readonly keepTypes: boolean;
}

type Fill = (args: Arguments) => unknown;

const MAX_DEPTH = 64;

/**
 * Compiles a JSON value whose strings (not its keys) are templates. With `keepTypes`, a member whose one slot has
 * no argument is left out, and an item of an array is null, so that the others keep their places.
 */
export function compileJson(value: unknown, at: string, options: JsonTemplateOptions, notes: Notes): JsonTemplate {
  const names = new Set<string>();
  const fill = compile(value, at, 0);
  return { slots: [...names], fill: fill ?? (() => value) };

  /** Undefined for what holds no slot. */
  function compile(node: unknown, path: string, depth: number): Fill | undefined {
    if (depth > MAX_DEPTH) {
      notes.fault(path, `deeper than ${MAX_DEPTH} levels`);
      return undefined;
    }
    if (typeof node === 'string') return compileString(node, path);
    if (Array.isArray(node)) return compileArray(node, path, depth);
    if (typeof node === 'object' && node !== null) return compileObject(node, path, depth);
    return undefined;
  }

  function compileString(text: string, path: string): Fill | undefined {
    const parts = parseSlots(text, path, false, notes);
    for (const part of parts) if (part.kind === 'argument') names.add(part.name);
    const only = onlySlot(parts);
    if (only !== undefined && options.keepTypes) return (args) => argument(args, only);
    const template = new TextTemplate(parts);
    if (template.slots.length > 0) return (args) => template.fill(args);
    const literal = template.fill({});
    return literal === text ? undefined : () => literal;
  }

  function compileArray(items: readonly unknown[], path: string, depth: number): Fill | undefined {
    const fills = items.map((item, i) => compile(item, path + pointer(i), depth + 1));
    if (fills.every((f) => f === undefined)) return undefined;
    return (args) => items.map((item, i) => (fills[i] ? (fills[i](args) ?? null) : item));
  }

  function compileObject(node: object, path: string, depth: number): Fill | undefined {
    const members = Object.entries(node).map(
      ([key, member]) => [key, member, compile(member, path + pointer(key), depth + 1)] as const,
    );
    if (members.every(([, , f]) => f === undefined)) return undefined;
    return (args) => {
      const filled = members.map(([key, member, f]) => [key, f ? f(args) : member] as const);
      return Object.fromEntries(filled.filter(([, member]) => member !== undefined));
    };
  }
}

/** The argument's name when a text is one slot and nothing else. */
export function onlySlot(parts: readonly Part[]): string | undefined {
  const [part] = parts;
  return parts.length === 1 && part?.kind === 'argument' ? part.name : undefined;
}
