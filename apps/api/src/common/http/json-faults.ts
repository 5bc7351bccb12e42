import type { PointedMessage } from '@gantry/contracts';
import type { z } from 'zod';

/** A JSON Pointer (RFC 6901) from its parts. */
export function pointer(...parts: readonly PropertyKey[]): string {
  return parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Zod's issues, one entry a fault: unknown fields each by their own name. */
export function faultsOf(error: z.ZodError, base: readonly PropertyKey[] = []): PointedMessage[] {
  return error.issues.flatMap((issue) => expand(issue, base));
}

function expand(issue: z.core.$ZodIssue, base: readonly PropertyKey[]): PointedMessage[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: pointer(...path, key), message: 'is not a known field' }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length === 1 && issue.errors[0]) {
    return issue.errors[0].flatMap((inner) => expand(inner, path));
  }
  return [{ path: pointer(...path), message: wordsOf(issue) }];
}

function wordsOf(issue: z.core.$ZodIssue): string {
  const words = issue.message
    .replace(/^(Invalid input|Invalid option|Too small|Too big|Invalid string): /, '')
    .replace('expected record', 'expected object');
  return words.endsWith(', received undefined')
    ? `is required: ${words.slice(0, -', received undefined'.length)}`
    : words;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Faults of JSON that no schema sees: deeper than `maxDepth`, or with strings (keys too) that cannot be stored:
 * the NUL character and halves of surrogate pairs. Stops after 100.
 */
export function unstorableFaults(value: unknown, maxDepth: number): PointedMessage[] {
  const faults: PointedMessage[] = [];
  const judge = (text: string, path: readonly PropertyKey[]) => {
    if (text.includes('\0')) faults.push({ path: pointer(...path), message: 'must not contain the NUL character' });
    else if (LONE_SURROGATE.test(text)) faults.push({ path: pointer(...path), message: 'must be well-formed Unicode' });
  };
  const walk = (node: unknown, path: PropertyKey[]) => {
    if (faults.length >= 100) return;
    if (typeof node === 'string') return judge(node, path);
    if (typeof node !== 'object' || node === null) return;
    if (path.length >= maxDepth) {
      faults.push({ path: pointer(...path), message: `is nested deeper than ${maxDepth} levels` });
      return;
    }
    for (const [key, child] of Object.entries(node)) {
      const inner = [...path, Array.isArray(node) ? Number(key) : key];
      if (!Array.isArray(node)) judge(key, inner);
      walk(child, inner);
    }
  };
  walk(value, []);
  return faults;
}
