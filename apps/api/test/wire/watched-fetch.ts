import type { ReadableWritablePair } from 'node:stream/web';
import { expectSoundFrames, FrameWatch } from '@gantry/mcp-core/testing';
import { afterEach } from 'vitest';

// Of every test file whose clients use it: each message must be one that its revision allows.
afterEach(expectSoundFrames);

/**
 * As `fetch`, and judges each message of the answer by the schema of its revision while the caller reads it.
 */
export async function watchedFetch(input: string | URL, init?: RequestInit): Promise<Response> {
  const headers = Object.fromEntries(new Headers(init?.headers));
  const body = typeof init?.body === 'string' ? init.body : undefined;
  const watch = new FrameWatch({ headers, body, url: String(input) });
  const response = await fetch(input, init);
  const session = response.headers.get('mcp-session-id') ?? undefined;
  const streaming = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (response.body === null) return response;
  let text = '';
  const look = new TransformStream<string, string>({
    transform(chunk, controller) {
      text += chunk;
      if (streaming)
        text = seeWhole(text, (data, event) => {
          if (event === 'endpoint') watch.seeEndpoint(data);
          else watch.see(JSON.parse(data), session);
        });
      controller.enqueue(chunk);
    },
    flush() {
      if (streaming || text === '') return;
      for (const message of [JSON.parse(text)].flat()) watch.see(message, session);
    },
  });
  const watched = response.body
    .pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(look)
    .pipeThrough(new TextEncoderStream());
  const { status, statusText } = response;
  return new Response(watched, { status, statusText, headers: response.headers });
}

/** Tells the data and the name of each whole event, and gives back what has not ended yet. */
function seeWhole(text: string, see: (data: string, event: string | undefined) => void): string {
  const events = text.split('\n\n');
  const rest = events.pop() ?? '';
  for (const event of events) {
    const lines = event.split('\n').filter((line) => line.startsWith('data:'));
    const data = lines.map((line) => line.slice('data:'.length).trimStart()).join('\n');
    const name = event.split('\n').find((line) => line.startsWith('event:'));
    if (data !== '') see(data, name?.slice('event:'.length).trim());
  }
  return rest;
}
