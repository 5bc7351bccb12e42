/**
 * A copy of `root` with the value at `path` replaced; `undefined` removes the member. Order of members and everything
 * off the path stay as they were. Missing objects on the way are made.
 */
export function setIn<T>(root: T, path: readonly string[], value: unknown): T {
  const [head, ...rest] = path;
  if (head === undefined) return value as T;
  const object = (root !== null && typeof root === 'object' && !Array.isArray(root) ? root : {}) as Record<
    string,
    unknown
  >;
  const next = rest.length > 0 ? setIn(object[head], rest, value) : value;
  if (next === undefined) {
    const { [head]: _gone, ...others } = object;
    return others as T;
  }
  return { ...object, [head]: next } as T;
}
