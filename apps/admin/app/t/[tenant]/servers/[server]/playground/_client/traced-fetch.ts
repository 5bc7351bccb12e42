import { parseJson } from '@/lib/json';
import { readSse } from '@/lib/sse/parse';
import type { TraceStore } from './trace';

/** A `fetch` that shows the token of the moment, and tells the trace every message either side sends. */
export function createTracedFetch(trace: TraceStore, token: () => Promise<string>, fetchFn: typeof fetch) {
  return async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${await token()}`);
    const http = init.method ?? 'GET';
    const sent = trace.sent(http, messagesOf(init.body));
    let response: Response;
    try {
      response = await fetchFn(url, { ...init, headers });
    } catch (error) {
      trace.settle(sent, { fault: error instanceof Error ? error.message : String(error) });
      throw error;
    }
    trace.settle(sent, { status: response.status });
    if (response.body) {
      const heard = listen(response.clone(), (message) => trace.received(http, response.status, message));
      // A single message is noted before the client can act on it, so that what follows stands after it.
      if (!isStream(response)) await heard;
    }
    return response;
  };
}

const isStream = (response: Response) => response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;

function messagesOf(body: unknown): unknown[] {
  // An event without data only tells its id, from which a broken stream can be resumed.
  if (typeof body !== 'string' || body === '') return [];
  const parsed = parseJson(body);
  if (!parsed.ok) return [body];
  return Array.isArray(parsed.value) ? parsed.value : [parsed.value];
}

/** Reads along without standing in the way: the client has the response itself, and reports what is wrong with it. */
async function listen(response: Response, tell: (message: unknown) => void): Promise<void> {
  try {
    if (isStream(response)) {
      for await (const event of readSse(response.body!)) for (const message of messagesOf(event.data)) tell(message);
    } else {
      for (const message of messagesOf(await response.text())) tell(message);
    }
  } catch {
    // The stream was closed by one of the two sides; its messages so far are told.
  }
}
