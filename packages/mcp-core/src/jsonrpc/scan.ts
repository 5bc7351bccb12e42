/** Questions about JSON text that the parsed value cannot answer any more. They assume nothing but never throw. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Whether arrays and objects are nested deeper than `limit`. Most texts have too few brackets to be walked at all. */
export function exceedsDepth(text: string, limit: number): boolean {
  if (text.length <= limit || !hasMoreThan(text, limit)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at);
    else if (char === OPEN_ARRAY || char === OPEN_OBJECT) {
      if (++depth > limit) return true;
    } else if (char === CLOSE_ARRAY || char === CLOSE_OBJECT) depth--;
  }
  return false;
}

function hasMoreThan(text: string, limit: number): boolean {
  let count = 0;
  for (const bracket of '[{') {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++count > limit) return true;
    }
  }
  return false;
}

const SUSPECT_ID = /"id"\s*:\s*-?\d+[.eE]/;
/** `i` and `d` may be written as escapes; both begin like this. */
const ESCAPED_LETTER = '\\u006';

/**
 * Whether the top-level member `id` of a JSON object is written with a fraction or an exponent. `1e2` and `1.0` parse
 * to integers, and `1.0000000000000000001` to another number than was sent, so the text has to be asked.
 */
export function hasFractionalId(text: string): boolean {
  if (!SUSPECT_ID.test(text) && !text.includes(ESCAPED_LETTER)) return false;
  return /[.eE]/.test(lastTopLevelNumber(text, 'id') ?? '');
}

/** The indices of those elements of a JSON array of objects of which `hasFractionalId` is true. */
export function fractionalIds(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  if (!SUSPECT_ID.test(text) && !text.includes(ESCAPED_LETTER)) return found;
  for (const [element, source] of lastNumbers(text, 'id', 2)) if (/[.eE]/.test(source)) found.add(element);
  return found;
}

/** The source of the last number that a member called `name` of the outermost object holds. */
function lastTopLevelNumber(text: string, name: string): string | undefined {
  return lastNumbers(text, name, 1).get(0);
}

/**
 * Sources of the last numbers that members called `name` hold at a depth of nesting, by the index of the element of the
 * outermost array in which they stand; 0 if there is no such array.
 */
function lastNumbers(text: string, name: string, wanted: number): ReadonlyMap<number, string> {
  const numberAfterKey = /\s*:\s*(-?\d[\d.eE+-]*)/y;
  const found = new Map<number, string>();
  let depth = 0;
  let element = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === OPEN_ARRAY || char === OPEN_OBJECT) depth++;
    else if (char === CLOSE_ARRAY || char === CLOSE_OBJECT) depth--;
    else if (char === COMMA && depth === wanted - 1) element++;
    else if (char === QUOTE) {
      const end = endOfString(text, at);
      if (depth === wanted) {
        numberAfterKey.lastIndex = end + 1;
        const member = numberAfterKey.exec(text);
        if (member && JSON.parse(text.slice(at, end + 1)) === name) found.set(element, member[1] as string);
      }
      at = end;
    }
  }
  return found;
}

/** The index of the quote that closes the string opened at `open`, or the end of the text. */
function endOfString(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); close !== -1; close = text.indexOf('"', close + 1)) {
    let escapes = 0;
    while (text.charCodeAt(close - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return close;
  }
  return text.length;
}
