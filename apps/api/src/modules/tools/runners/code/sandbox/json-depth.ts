/** Deeper values would overflow the stack of whoever walks them. */
export const maxJsonDepth = 256;

/** Whether a JSON text is nested deeper than `levels`. Reads the text only, so its own depth is of no matter. */
export function deeperThan(levels: number, json: string): boolean {
  if (json.length < 2 * levels) return false;
  let depth = 0;
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (char === '"') {
      for (i++; i < json.length && json[i] !== '"'; i++) if (json[i] === '\\') i++;
    } else if (char === '[' || char === '{') {
      if (++depth > levels) return true;
    } else if (char === ']' || char === '}') depth--;
  }
  return false;
}
