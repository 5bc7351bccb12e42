'use client';
import { useEffect, useRef, useState } from 'react';
import type { Connection } from '../_client/connection';

type Ref = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };

/** How long after the last key the server is asked. */
const askAfterMs = 150;

/** Suggestions of the server for one field at a time, as it is typed; none where it offers none. */
export function useSuggestions({ client }: Connection, ref: Ref, values: Readonly<Record<string, string>>) {
  const [found, setFound] = useState<Record<string, string[]>>({});
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);

  function onType(name: string, value: string): void {
    if (!client.getServerCapabilities()?.completions) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      const own = ++latest.current;
      const { [name]: _typed, ...others } = values;
      const context = Object.keys(others).length > 0 ? { context: { arguments: others } } : {};
      // Suggestions are a help: without them the field works as ever, and the trace has the refusal.
      const answer = await client.complete({ ref, argument: { name, value }, ...context }).catch(() => undefined);
      if (own === latest.current) setFound((before) => ({ ...before, [name]: answer?.completion.values ?? [] }));
    }, askAfterMs);
  }

  return { found, onType };
}
