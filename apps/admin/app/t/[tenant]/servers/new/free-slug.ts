/** The slug itself, or the first of slug-2, slug-3 … that nobody has. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let n = 2; ; n += 1) {
    const suffix = `-${n}`;
    const proposal = slug.slice(0, 63 - suffix.length) + suffix;
    if (!taken.has(proposal)) return proposal;
  }
}
