import { propertiesOf, type Schema, typeOf } from '@/components/schema-form/model';
import { isObject } from '@/lib/json';

/** The arguments a fresh form starts with: what the schema gives as defaults, and nothing made up. */
export function defaultArguments(schema: Schema): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const { name, schema: own, required } of propertiesOf(schema)) {
    if (own.default !== undefined) out[name] = own.default;
    else if (own.const !== undefined) out[name] = own.const;
    else if (typeOf(own) === 'object' && required) {
      const nested = defaultArguments(own);
      if (Object.keys(nested).length > 0) out[name] = nested;
    }
  }
  return out;
}

export type NumberReading = { ok: true; value: number } | { ok: false; reason: 'not-a-number' | 'not-exact' };

/** Reads a number as typed; refuses what a double cannot hold exactly, instead of sending other digits. */
export function readNumber(text: string): NumberReading {
  const trimmed = text.trim();
  if (!/^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(trimmed)) return { ok: false, reason: 'not-a-number' };
  const value = Number(trimmed);
  if (!Number.isFinite(value)) return { ok: false, reason: 'not-exact' };
  if (/^-?\d+$/.test(trimmed) && !Number.isSafeInteger(value)) return { ok: false, reason: 'not-exact' };
  return { ok: true, value };
}

/** The choices of a schema that allows only listed values. */
export function choicesOf(schema: Schema): unknown[] | undefined {
  return Array.isArray(schema.enum) && schema.enum.length > 0 ? schema.enum : undefined;
}

/** What an added list item starts as. */
export function blankItem(items: unknown): unknown {
  switch (typeOf(items)) {
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'object':
      return isObject(items) ? defaultArguments(items) : {};
    case 'array':
      return [];
    case 'string':
      return '';
    default:
      return null;
  }
}
