'use client';
import type { RequestOptions } from '@modelcontextprotocol/client';
import { type Reducer, useCallback, useEffect, useReducer, useRef } from 'react';
import { idle, type RunAction, type RunState, reduceRun } from '@/lib/run/run-state';
import { callTimeoutMs } from './connection';
import { rpcProblem } from './rpc-problem';
import type { Playground } from './use-connection';

/** Progress that the client makes up of itself between two rounds; the server said nothing of the kind. */
const ofClient = /^Fulfilling input required by /;

/** Runs one call of the client at a time, with its progress and log, and cancels it as a client does. */
export function useMcpRun<R>(listen: Playground['listen']) {
  const [state, dispatch] = useReducer<RunState<R>, [RunAction<R>]>(
    reduceRun as Reducer<RunState<R>, RunAction<R>>,
    idle,
  );
  const controller = useRef<AbortController>(undefined);

  useEffect(() => () => controller.current?.abort(), []);

  const run = useCallback(
    async (call: (options: RequestOptions) => Promise<R>) => {
      controller.current?.abort();
      const own = new AbortController();
      controller.current = own;
      const tell = (action: RunAction<R>) => !own.signal.aborted && dispatch(action);
      dispatch({ type: 'start', at: performance.now() });
      const unlisten = listen(({ method, params }) => {
        if (method !== 'notifications/message') return;
        const { level, data, logger } = params as { level: string; data: unknown; logger?: string };
        tell({ type: 'log', level, data, logger, at: performance.now() });
      });
      try {
        const result = await call({
          signal: own.signal,
          timeout: callTimeoutMs,
          onprogress: (progress) => {
            if (!ofClient.test(progress.message ?? '')) tell({ type: 'progress', progress });
          },
        });
        tell({ type: 'result', result, at: performance.now() });
      } catch (error) {
        tell({ type: 'problem', problem: rpcProblem(error), at: performance.now() });
      } finally {
        unlisten();
      }
    },
    [listen],
  );

  const cancel = useCallback(() => {
    dispatch({ type: 'cancel', at: performance.now() });
    controller.current?.abort();
  }, []);

  return { state, run, cancel };
}
