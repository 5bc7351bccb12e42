import { isDeepStrictEqual } from 'node:util';
import type { DocumentDiff, ListDiff, ServerDocument } from '@gantry/contracts';
import { type ItemKind, type ItemList, idOf, itemKinds, itemsOf } from './item-kinds.js';

type Lists = ServerDocument | undefined;

/** How the lists of two documents differ, as a client would see them; and what changed behind entries that look the same. */
export function documentDiff(before: Lists, after: ServerDocument): DocumentDiff {
  const { tools, ...others } = itemKinds;
  const shown = Object.values(others).filter(
    ({ list }) => before?.[list] !== undefined || after[list] !== undefined,
  ) as unknown as ItemKind[];
  return {
    ...listDiff(tools, before, after),
    ...Object.fromEntries(shown.map((kind) => [kind.list, listDiff(kind, before, after)])),
  };
}

function listDiff<List extends ItemList>(kind: ItemKind<List>, before: Lists, after: ServerDocument): ListDiff {
  const old = new Map(itemsOf(kind, before).map((item) => [idOf(kind, item), item]));
  const diff = { added: [] as string[], changed: [] as string[], removed: [] as string[] };
  const inside: string[] = [];
  for (const item of itemsOf(kind, after)) {
    const id = idOf(kind, item);
    const earlier = old.get(id);
    old.delete(id);
    if (earlier === undefined) diff.added.push(id);
    else if (!isDeepStrictEqual(kind.definition(earlier), kind.definition(item))) diff.changed.push(id);
    else if (!isDeepStrictEqual(earlier, item)) inside.push(id);
  }
  diff.removed.push(...old.keys());
  return inside.length === 0 ? diff : { ...diff, inside };
}
