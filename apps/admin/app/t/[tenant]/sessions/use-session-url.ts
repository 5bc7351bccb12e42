'use client';
import { debounce, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { compact, eras, sessionStates } from '@/data/sessions/filter';

/** Filters and sort of the list, as the URL keeps them. */
export function useSessionUrl() {
  const [{ sort, ...url }, setUrl] = useQueryStates({
    q: parseAsString,
    client: parseAsString,
    server: parseAsString,
    node: parseAsString,
    era: parseAsStringLiteral(eras),
    state: parseAsStringLiteral(sessionStates),
    sort: parseAsString.withDefault('-started'),
  });
  const { q, client, server, node, era, state } = url;
  const filter = useMemo(() => compact({ q, client, server, node, era, state }), [q, client, server, node, era, state]);
  return {
    sort,
    filter,
    setUrl,
    setSearch: (text: string) => setUrl({ q: text || null }, { limitUrlUpdates: text ? debounce(250) : undefined }),
    clear: () => setUrl({ q: null, client: null, server: null, node: null, era: null, state: null }),
  };
}
