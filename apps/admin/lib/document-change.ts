import type { DocumentDiff } from '@gantry/contracts';
import { t } from '@/strings';

const words = t.servers.change;
const lists = Object.keys(words.lists) as (keyof typeof words.lists)[];
const verbs = Object.keys(words.verbs) as (keyof typeof words.verbs)[];

/** What differs for clients between two revisions, e.g. "2 tools added, 1 prompt removed". */
export function changeInWords(diff: DocumentDiff): string {
  const parts = lists.flatMap((list) => {
    const own = list === 'tools' ? diff : diff[list];
    return verbs.flatMap((verb) => {
      const count = own?.[verb]?.length ?? 0;
      return count > 0 ? [`${count} ${words.lists[list][count === 1 ? 0 : 1]} ${words.verbs[verb]}`] : [];
    });
  });
  return parts.length > 0 ? parts.join(', ') : words.nothing;
}
