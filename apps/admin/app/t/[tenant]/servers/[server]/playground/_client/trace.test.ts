import { describe, expect, it, vi } from 'vitest';
import { maxChars, maxEntries, TraceStore } from './trace';
import { createTracedFetch } from './traced-fetch';

const entries = (trace: TraceStore) => trace.snapshot().entries;
const request = (id: number, method = 'tools/list') => ({ jsonrpc: '2.0', id, method });

describe('the trace of a connection', () => {
  it('names results by the method of their request, each side counting its own ids', () => {
    const trace = new TraceStore(() => 5);
    const ids = trace.sent('POST', [request(1, 'tools/call')]);
    trace.received('POST', 200, request(1, 'elicitation/create'));
    trace.sent('POST', [{ jsonrpc: '2.0', id: 1, result: { action: 'decline' } }]);
    trace.received('POST', 200, { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no' } });
    trace.settle(ids, { status: 200 });
    expect(entries(trace).map(({ direction, kind, method, status }) => [direction, kind, method, status])).toEqual([
      ['out', 'request', 'tools/call', 200],
      ['in', 'request', 'elicitation/create', 200],
      ['out', 'result', 'elicitation/create', undefined],
      ['in', 'error', 'tools/call', 200],
    ]);
  });

  it('keeps the newest, says how many it dropped, and cuts what is long', () => {
    const trace = new TraceStore();
    for (let n = 0; n < maxEntries + 3; n += 1) trace.received('GET', 200, { jsonrpc: '2.0', method: `n/${n}` });
    trace.received('GET', 200, { jsonrpc: '2.0', method: 'long', params: { text: 'x'.repeat(maxChars) } });
    expect(entries(trace)).toHaveLength(maxEntries);
    expect(trace.snapshot().dropped).toBe(4);
    expect(entries(trace).at(-1)?.text).toHaveLength(maxChars);
    expect(entries(trace).at(-1)!.chars).toBeGreaterThan(maxChars);
  });
});

describe('the fetch of the playground', () => {
  const send = (answer: () => Promise<Response>) => {
    const trace = new TraceStore();
    const fetchFn = vi.fn(answer) as unknown as typeof fetch;
    const traced = createTracedFetch(trace, async () => 'secret-token', fetchFn);
    return { trace, fetchFn, traced };
  };
  const post = { method: 'POST', body: JSON.stringify(request(1)), headers: { accept: 'application/json' } };

  it('shows the token to the endpoint and to nobody else', async () => {
    const { trace, fetchFn, traced } = send(async () => Response.json({ jsonrpc: '2.0', id: 1, result: {} }));
    await traced('https://gantry.example/mcp/t/s', post);
    const headers = new Headers(vi.mocked(fetchFn).mock.calls[0]![1]!.headers);
    expect(headers.get('authorization')).toBe('Bearer secret-token');
    expect(headers.get('accept')).toBe('application/json');
    await vi.waitFor(() => expect(entries(trace)).toHaveLength(2));
    expect(JSON.stringify(entries(trace))).not.toContain('secret-token');
  });

  it('tells every message of a stream and leaves the response to the client', async () => {
    const body =
      'id: 1\ndata:\n\ndata: {"jsonrpc":"2.0","method":"n"}\n\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n';
    const { trace, traced } = send(
      async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    );
    const response = await traced('https://gantry.example/', post);
    expect(await response.text()).toBe(body);
    await vi.waitFor(() => expect(entries(trace)).toHaveLength(3));
    expect(entries(trace).map((entry) => entry.kind)).toEqual(['request', 'notification', 'result']);
  });

  it('notes a request that got no answer, and one without a message', async () => {
    const { trace, traced } = send(async () => {
      throw new TypeError('Failed to fetch');
    });
    await expect(traced('https://gantry.example/', { method: 'GET' })).rejects.toThrow('Failed to fetch');
    expect(entries(trace)).toMatchObject([{ kind: 'http', method: 'GET', fault: 'Failed to fetch' }]);
  });
});
