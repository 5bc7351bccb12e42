'use client';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { NothingMatches, NothingToSee, NothingYet } from '@/components/page/empty-state';
import { QueryPanel } from '@/components/page/query-panel';
import { SearchBox } from '@/components/table/search-box';
import type { Walked } from '@/lib/api/query';
import { t } from '@/strings';

export interface ListWords {
  searchLabel: string;
  empty: string;
  emptyText: string;
  emptyExample: string;
  /** Said instead of the invitation to a reader who may not create one. */
  readOnly?: string;
}

interface ListPanelProps<T> {
  words: ListWords;
  query: UseQueryResult<Walked<T>>;
  /** The button that makes the first one; absent for a reader who may not. */
  create?: ReactNode;
  search: string;
  onSearch: (search: string | null) => void;
  /** The rows that search and filters leave, in their order. */
  visible: (items: T[]) => T[];
  /** Controls beside the search. */
  controls?: ReactNode;
  /** Filters in force beside the search, in words. */
  filters?: readonly (string | false | null | undefined)[];
  /** Takes search and filters away. */
  onClear: () => void;
  /** The noun of the count, for one and for many; without it nothing is counted. */
  counted?: readonly [one: string, many: string];
  children: (rows: T[]) => ReactNode;
}

/** What every list screen does alike: loading, failure, nothing yet, nothing to see, search, nothing matches, cut. */
export function ListPanel<T>(props: ListPanelProps<T>) {
  const { words, query, create, search, onSearch, visible, controls, filters = [], onClear, counted, children } = props;
  return (
    <QueryPanel query={query}>
      {({ items, cut }) => {
        if (items.length === 0) {
          if (!create && words.readOnly) return <NothingToSee title={words.empty}>{words.readOnly}</NothingToSee>;
          return (
            <NothingYet
              title={words.empty}
              action={create}
              example={<p className="text-muted text-sm">{words.emptyExample}</p>}
            >
              {words.emptyText}
            </NothingYet>
          );
        }
        const rows = visible(items);
        const active = [search && `“${search}”`, ...filters].filter((part): part is string => Boolean(part));
        return (
          <>
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <SearchBox label={words.searchLabel} value={search} onChange={(next) => onSearch(next || null)} />
              {controls}
              {counted && (
                <p className="ml-auto text-muted text-xs tabular-nums" aria-live="polite">
                  {t.common.count(rows.length, items.length)} {counted[items.length === 1 ? 0 : 1]}
                </p>
              )}
            </div>
            {cut && <p className="text-muted text-xs">{t.common.cutList(items.length)}</p>}
            {rows.length === 0 ? <NothingMatches filters={active} onClear={onClear} /> : children(rows)}
          </>
        );
      }}
    </QueryPanel>
  );
}
