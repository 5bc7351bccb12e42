const HIDDEN = '••••';
const SECRET = /pass(word|phrase|wd)?$|secret|token$|authorization|api[-_]?key|credential|private[-_]?key|cookie/i;
const DEPTH = 64;

/** A JSON value without what stands under names that secrets have. */
export function masked(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEPTH) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => masked(item, depth + 1));
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    SECRET.test(name) ? hidden(member, depth + 1) : masked(member, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

/** What stands under the name of a secret; an object is looked into by the names in it. */
function hidden(value: unknown, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'number' || depth === DEPTH) return HIDDEN;
  return Array.isArray(value) ? value.map((item) => hidden(item, depth + 1)) : masked(value, depth);
}
