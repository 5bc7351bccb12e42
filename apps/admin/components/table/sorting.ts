/** A sort as the URL writes it: `name` ascending, `-name` descending. */
export function parseSort<C extends string>(
  text: string,
  columns: readonly C[],
  fallback: C,
): { column: C; desc: boolean } {
  const desc = text.startsWith('-');
  const column = (desc ? text.slice(1) : text) as C;
  return columns.includes(column) ? { column, desc } : { column: fallback, desc: false };
}

/** What a click on a column's head makes of the sort. */
export function toggleSort(current: { column: string; desc: boolean }, column: string): string {
  return current.column === column && !current.desc ? `-${column}` : column;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** A stable sort by the value `of` reads; missing values go last whichever the direction. */
export function sortBy<T>(
  items: readonly T[],
  of: (item: T) => string | number | boolean | undefined,
  desc: boolean,
): T[] {
  const sign = desc ? -1 : 1;
  return [...items].sort((a, b) => {
    const x = of(a);
    const y = of(b);
    if (x === undefined || y === undefined) return x === y ? 0 : x === undefined ? 1 : -1;
    if (typeof x === 'string' && typeof y === 'string') return sign * collator.compare(x, y);
    return sign * (Number(x) - Number(y));
  });
}
