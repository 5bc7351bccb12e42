'use client';
import type { Problem, TryToolAnswer } from '@gantry/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { toolPath } from '@/data/tools/queries';
import { sendRequest } from '@/lib/api/client';
import { localProblem, problemOf } from '@/lib/api/problem';
import { readSse, type SseEvent } from '@/lib/sse/parse';
import { t } from '@/strings';
import { idle, type Progress, type RunAction, reduceRun } from './run-state';

/** Runs a tool and streams what it says. Cancel closes the request, which ends the call at the other end. */
export function useRun(tenant: string, server: string) {
  const client = useQueryClient();
  const [state, dispatch] = useReducer(reduceRun, idle);
  const controller = useRef<AbortController>(undefined);

  useEffect(() => () => controller.current?.abort(), []);

  const run = useCallback(
    async (tool: string, argumentsText: string) => {
      controller.current?.abort();
      const own = new AbortController();
      controller.current = own;
      dispatch({ type: 'start', at: performance.now() });
      try {
        const response = await sendRequest('POST', toolPath(tenant, server, tool, 'try'), {
          rawBody: `{"arguments":${argumentsText}}`,
          accept: 'text/event-stream',
          signal: own.signal,
        });
        if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
          dispatch({ type: 'result', result: (await response.json()) as TryToolAnswer, at: performance.now() });
        } else {
          for await (const event of readSse(response.body!)) {
            const action = actionOf(event);
            if (action) dispatch(action);
          }
          dispatch({
            type: 'problem',
            problem: localProblem(502, 'unavailable', t.tryIt.broken),
            at: performance.now(),
          });
        }
      } catch (error) {
        if (!own.signal.aborted) dispatch({ type: 'problem', problem: problemOf(error), at: performance.now() });
      } finally {
        client.invalidateQueries({ queryKey: ['calls', tenant] });
      }
    },
    [tenant, server, client],
  );

  const cancel = useCallback(() => {
    controller.current?.abort();
    dispatch({ type: 'cancel', at: performance.now() });
  }, []);

  return { state, run, cancel };
}

/** The reducer's word for one event of the stream; events of no known name are left out. */
export function actionOf(event: SseEvent): RunAction | undefined {
  const at = performance.now();
  const data = JSON.parse(event.data) as never;
  switch (event.event) {
    case 'progress':
      return { type: 'progress', progress: data as Progress };
    case 'log': {
      const { level, data: value, logger } = data as { level: string; data: unknown; logger?: string };
      return { type: 'log', level, data: value, logger, at };
    }
    case 'result':
      return { type: 'result', result: data as TryToolAnswer, at };
    case 'problem':
      return { type: 'problem', problem: data as Problem, at };
    default:
      return undefined;
  }
}
