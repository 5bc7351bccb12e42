'use client';
import type { Problem } from '@gantry/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { type Reducer, useCallback, useEffect, useReducer, useRef } from 'react';
import { sendRequest } from '@/lib/api/client';
import { localProblem, problemOf } from '@/lib/api/problem';
import { type Asked, askedOf, type InputResponses } from '@/lib/questions/requests';
import { idle, type Progress, type RunAction, type RunState, reduceRun } from '@/lib/run/run-state';
import { readSse, type SseEvent } from '@/lib/sse/parse';
import { t } from '@/strings';

interface Sent {
  path: string;
  /** Members of the request's JSON object, as text, so that big numbers keep their digits. */
  members: string;
}

/**
 * Runs one of the `try` calls and streams what it says. A run that asks goes on with `answer`, which repeats the call
 * with what was answered. Cancel closes the request, which ends the call at the other end.
 */
export function useRun<R>(tenant: string) {
  const client = useQueryClient();
  const [state, dispatch] = useReducer<RunState<R>, [RunAction<R>]>(
    reduceRun as Reducer<RunState<R>, RunAction<R>>,
    idle,
  );
  const controller = useRef<AbortController>(undefined);
  const sent = useRef<Sent>(undefined);

  useEffect(() => () => controller.current?.abort(), []);

  const send = useCallback(
    async (path: string, body: string) => {
      controller.current?.abort();
      const own = new AbortController();
      controller.current = own;
      // What an aborted request still says belongs to no run any more.
      const tell = (action: RunAction<R>) => !own.signal.aborted && dispatch(action);
      try {
        const response = await sendRequest('POST', path, {
          rawBody: body,
          accept: 'text/event-stream, application/json;q=0.9',
          signal: own.signal,
        });
        if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
          const answer: unknown = await response.json();
          const asked = askedOf(answer);
          tell(asked ? { type: 'ask', asked } : { type: 'result', result: answer as R, at: performance.now() });
        } else {
          let ended = false;
          for await (const event of readSse(response.body!)) {
            const action = actionOf<R>(event);
            if (!action) continue;
            ended ||= action.type === 'ask' || action.type === 'result' || action.type === 'problem';
            tell(action);
          }
          const problem = localProblem(502, 'unavailable', t.tryIt.broken);
          if (!ended) tell({ type: 'problem', problem, at: performance.now() });
        }
      } catch (error) {
        tell({ type: 'problem', problem: problemOf(error), at: performance.now() });
      } finally {
        client.invalidateQueries({ queryKey: ['calls', tenant] });
      }
    },
    [tenant, client],
  );

  const run = useCallback(
    (path: string, members: string) => {
      sent.current = { path, members };
      dispatch({ type: 'start', at: performance.now() });
      return send(path, `{${members}}`);
    },
    [send],
  );

  const answer = useCallback(
    (asked: Asked, responses: InputResponses) => {
      const { path, members } = sent.current!;
      const more = JSON.stringify({ inputResponses: responses, requestState: asked.requestState }).slice(1);
      dispatch({ type: 'answer' });
      return send(path, members ? `{${members},${more}` : `{${more}`);
    },
    [send],
  );

  const cancel = useCallback(() => {
    dispatch({ type: 'cancel', at: performance.now() });
    controller.current?.abort();
  }, []);

  return { state, run, answer, cancel };
}

/** The reducer's word for one event of the stream; events of no known name are left out. */
export function actionOf<R>(event: SseEvent): RunAction<R> | undefined {
  const at = performance.now();
  const data = JSON.parse(event.data) as never;
  switch (event.event) {
    case 'progress':
      return { type: 'progress', progress: data as Progress };
    case 'log': {
      const { level, data: value, logger } = data as { level: string; data: unknown; logger?: string };
      return { type: 'log', level, data: value, logger, at };
    }
    case 'input_required':
      return { type: 'ask', asked: data as Asked };
    case 'result':
      return { type: 'result', result: data as R, at };
    case 'problem':
      return { type: 'problem', problem: data as Problem, at };
    default:
      return undefined;
  }
}
