'use client';
import type { Problem } from '@gantry/contracts';
import type { LoggingLevel } from '@modelcontextprotocol/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { fetchPlaygroundToken } from '@/data/playground/token';
import { ApiError, localProblem } from '@/lib/api/problem';
import type { InputRequest } from '@/lib/questions/requests';
import { t } from '@/strings';
import { type CapabilityName, type Connection, connect, type Era } from './connection';
import { rpcProblem } from './rpc-problem';
import { TraceStore } from './trace';

/** A question that waits for the person. */
export interface OpenQuestion {
  id: number;
  request: InputRequest;
  answer: (result: Record<string, unknown>) => void;
  refuse: () => void;
}

export interface Heard {
  id: number;
  at: number;
  method: string;
  params: Record<string, unknown>;
}

/** How many notifications are kept. */
export const maxHeard = 200;

export type Status =
  | { is: 'off'; problem?: Problem; closed?: boolean }
  | { is: 'connecting' }
  | { is: 'on'; connection: Connection };

/** The playground's connection, its open questions, what the server told by itself, and the trace. */
export function useConnection(tenant: string, server: string, allowedOrigin: string | undefined) {
  const [status, setStatus] = useState<Status>({ is: 'off' });
  const [questions, setQuestions] = useState<OpenQuestion[]>([]);
  const [heard, setHeard] = useState<{ items: Heard[]; dropped: number }>({ items: [], dropped: 0 });
  const [trace] = useState(() => new TraceStore());
  const listeners = useRef(new Set<(heard: Heard) => void>());
  const live = useRef<Connection>(undefined);
  const nextId = useRef(1);

  useEffect(() => () => void live.current?.close(), []);

  const ask = useCallback(
    (request: InputRequest, signal: AbortSignal | undefined) =>
      new Promise<Record<string, unknown>>((resolve, reject) => {
        const id = nextId.current++;
        const leave = () => setQuestions((open) => open.filter((question) => question.id !== id));
        const refuse = () => {
          leave();
          reject(new Error(t.playground.refused));
        };
        // A call that ends takes its questions with it.
        signal?.addEventListener('abort', refuse, { once: true });
        const answer = (result: Record<string, unknown>) => {
          leave();
          resolve(result);
        };
        setQuestions((open) => [...open, { id, request, answer, refuse }]);
      }),
    [],
  );

  const tell = useCallback((method: string, params: Record<string, unknown>) => {
    const entry = { id: nextId.current++, at: Date.now(), method, params };
    for (const listener of listeners.current) listener(entry);
    setHeard(({ items, dropped }) => {
      const full = items.length >= maxHeard;
      return { items: [...(full ? items.slice(1) : items), entry], dropped: dropped + (full ? 1 : 0) };
    });
  }, []);

  const open = useCallback(
    async (era: Era, capabilities: readonly CapabilityName[], level: LoggingLevel) => {
      setStatus({ is: 'connecting' });
      setHeard({ items: [], dropped: 0 });
      trace.clear();
      try {
        const renew = () => fetchPlaygroundToken(tenant, server);
        const token = await renew();
        const { origin } = new URL(token.endpoint);
        if (origin !== allowedOrigin && origin !== window.location.origin) {
          throw new ApiError(
            localProblem(0, 'origin_not_allowed', t.playground.origin, t.playground.originText(origin)),
          );
        }
        const connection = await connect({
          era,
          capabilities,
          token,
          renew,
          trace,
          onQuestion: ask,
          onNotification: tell,
          onClose: () => {
            live.current = undefined;
            setQuestions([]);
            setStatus((now) => (now.is === 'on' ? { is: 'off', closed: true } : now));
          },
        });
        live.current = connection;
        await connection.setLevel(level);
        setStatus({ is: 'on', connection });
      } catch (error) {
        // No answer at all: the client reads that as a refused version, which it is not.
        const fault = trace.snapshot().entries.at(-1)?.fault;
        const problem = fault
          ? localProblem(0, 'unreachable', t.playground.unreachable, t.playground.unreachableText(fault))
          : rpcProblem(error);
        setStatus({ is: 'off', problem });
      }
    },
    [tenant, server, allowedOrigin, trace, ask, tell],
  );

  const close = useCallback(async () => {
    await live.current?.close();
  }, []);

  /** Hears every notification from now on; gives what stops it. */
  const listen = useCallback((listener: (heard: Heard) => void) => {
    listeners.current.add(listener);
    return () => void listeners.current.delete(listener);
  }, []);

  return { status, open, close, questions, heard, trace, listen };
}

export type Playground = ReturnType<typeof useConnection>;
