export interface JsonFault {
  line: number;
  column: number;
  what: string;
}

/** Parses JSON text; a fault comes with its line and column, counted from 1. */
export function parseJson(text: string): { ok: true; value: unknown } | { ok: false; fault: JsonFault } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    const { at, what } = findFault(text);
    const before = text.slice(0, at).split('\n');
    return { ok: false, fault: { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, what } };
  }
}

/**
 * JSON objects and lists with line breaks, for reading. Any other text, and JSON that a parser would write with other
 * digits or without a repeated key, comes back as it is.
 */
export function indentJson(text: string): string {
  const parsed = parseJson(text);
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) return text;
  const compact = text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.startsWith('"') ? part : ''));
  return JSON.stringify(parsed.value) === compact ? JSON.stringify(parsed.value, null, 2) : text;
}

const token =
  /[\s]+|"(?:[^"\\\n\r\t]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y;

/** Where a text stops being JSON. Engines do not agree on telling that, so the grammar is walked once more. */
function findFault(text: string): { at: number; what: string } {
  const open: ('{' | '[')[] = [];
  let expects: 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' = 'value';
  token.lastIndex = 0;
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined) return { at, what: text[at] === '"' ? 'unfinished text' : `unexpected ${text[at]}` };
    if (/^\s/.test(found)) continue;
    const next = step(found);
    if (next === undefined)
      return { at, what: `expected ${words[expects]}, found ${found.length > 20 ? `${found.slice(0, 20)}…` : found}` };
    expects = next;
  }
  return { at: text.length, what: `ends early, expected ${words[expects]}` };

  function step(found: string): typeof expects | undefined {
    const inside = open.at(-1);
    const isValue = /^["\-\dtfn]/.test(found);
    if (expects === 'comma-or-end') {
      if (found === ',' && inside) return inside === '{' ? 'key' : 'value';
      return close(found);
    }
    if (expects === 'colon') return found === ':' ? 'value' : undefined;
    if (expects === 'key' || expects === 'key-or-end') {
      if (found.startsWith('"')) return 'colon';
      return expects === 'key-or-end' ? close(found) : undefined;
    }
    if (isValue) return 'comma-or-end';
    if (found === '{' || found === '[') {
      open.push(found);
      return found === '{' ? 'key-or-end' : 'value-or-end';
    }
    return expects === 'value-or-end' ? close(found) : undefined;
  }

  function close(found: string): 'comma-or-end' | undefined {
    const inside = open.at(-1);
    if ((found === '}' && inside === '{') || (found === ']' && inside === '[')) {
      open.pop();
      return 'comma-or-end';
    }
    return undefined;
  }
}

const words = {
  value: 'a value',
  'value-or-end': 'a value or “]”',
  key: 'a name in double quotes',
  'key-or-end': 'a name in double quotes or “}”',
  colon: '“:”',
  'comma-or-end': '“,” or the end',
};

export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Same JSON value; the order of members does not count. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((entry, i) => sameJson(entry, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name in b && sameJson(a[name], b[name]));
}
