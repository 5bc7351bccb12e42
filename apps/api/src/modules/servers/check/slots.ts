const SLOT = /\{\{[^{}]*\}\}|\{([A-Za-z_][A-Za-z0-9_.-]*)\}/g;

/** Names of the argument slots (`{name}`) of a text; `{{secret.NAME}}` is none, and neither is JSON in braces. */
export function slotsOf(text: string): string[] {
  return [...text.matchAll(SLOT)].flatMap((match) => (match[1] === undefined ? [] : [match[1]]));
}

/** Every string in a JSON value with its place. */
export function* stringsIn(value: unknown, path: PropertyKey[]): Generator<{ text: string; path: PropertyKey[] }> {
  if (typeof value === 'string') {
    yield { text: value, path };
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* stringsIn(item, [...path, index]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* stringsIn(item, [...path, key]);
  }
}

/** Names that arguments may have by the input schema; undefined when it does not limit them. */
export function declaredArguments(inputSchema: unknown): ReadonlySet<string> | undefined {
  if (typeof inputSchema !== 'object' || inputSchema === null) return undefined;
  const schema = inputSchema as Record<string, unknown>;
  // Behind composition and patterns a name may be declared where this does not look.
  if (['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties'].some((keyword) => keyword in schema))
    return undefined;
  const { properties } = schema;
  return new Set(typeof properties === 'object' && properties !== null ? Object.keys(properties) : []);
}
