'use client';
import type { Problem } from '@gantry/contracts';
import { useCallback, useEffect, useState } from 'react';
import { rpcProblem } from '../_client/rpc-problem';
import type { Playground } from '../_client/use-connection';

interface Listing<T> {
  items?: T[];
  problem?: Problem;
}

/** A list of the server, read when it is first shown and again when the server says that it changed. */
export function useListing<T>(list: () => Promise<T[]>, changed: string, listen: Playground['listen']) {
  const [listing, setListing] = useState<Listing<T>>({});

  const read = useCallback(
    () =>
      list().then(
        (items) => setListing({ items }),
        (error: unknown) => setListing((before) => ({ items: before.items, problem: rpcProblem(error) })),
      ),
    [list],
  );

  useEffect(() => {
    read();
    return listen(({ method }) => {
      if (method === changed) read();
    });
  }, [read, changed, listen]);

  return { ...listing, read };
}
