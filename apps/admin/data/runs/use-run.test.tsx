import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useRun } from './use-run';

const asked = { inputRequests: { name: { method: 'elicitation/create' } }, requestState: 'sealed' };
const sse = (events: [string, unknown][]) =>
  new Response(events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
const bodies: unknown[] = [];
let answers: Response[];

beforeEach(() => {
  bodies.length = 0;
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    bodies.push(JSON.parse(String(init.body)));
    return answers.shift()!;
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function start() {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(() => useRun<{ content: unknown[] }>('acme'), { wrapper }).result;
}

describe('a run that asks', () => {
  it('goes on with the same arguments, the answers and the state as it was given', async () => {
    answers = [
      sse([
        ['progress', { progress: 1 }],
        ['input_required', asked],
      ]),
      sse([['result', { content: [] }]]),
    ];
    const hook = start();
    await act(() => hook.current.run('/try', '"arguments":{"big":1}'));
    expect(hook.current.state).toMatchObject({ status: 'asking', asked, progress: { progress: 1 } });
    await act(() => hook.current.answer(hook.current.state.asked!, { name: { action: 'decline' } }));
    expect(hook.current.state).toMatchObject({ status: 'done', result: { content: [] } });
    expect(bodies).toEqual([
      { arguments: { big: 1 } },
      { arguments: { big: 1 }, inputResponses: { name: { action: 'decline' } }, requestState: 'sealed' },
    ]);
  });

  it('asks too when the answer is plain JSON', async () => {
    answers = [Response.json(asked)];
    const hook = start();
    await act(() => hook.current.run('/try', '"uri":"a:b"'));
    expect(hook.current.state).toMatchObject({ status: 'asking', asked });
  });

  it('says so when the stream ends before anything was decided', async () => {
    answers = [sse([['progress', { progress: 1 }]])];
    const hook = start();
    await act(() => hook.current.run('/try', ''));
    await waitFor(() => expect(hook.current.state.status).toBe('failed'));
    expect(hook.current.state.problem?.title).toMatch(/connection ended/);
  });
});
