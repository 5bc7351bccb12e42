/** Frames of `text/event-stream` (WHATWG HTML §9.2). JSON text holds no line break, so one `data` line carries a message. */

export const SSE_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
});

export const KEEP_ALIVE_FRAME = ': keep-alive\n\n';

export function dataFrame(json: string): string {
  return `data: ${json}\n\n`;
}

export function eventFrame(id: string, json: string): string {
  return `id: ${id}\ndata: ${json}\n\n`;
}

/** An event that gives the client something to resume from before anything has happened (2025-11-25, transports). */
export function primingFrame(id: string): string {
  return `id: ${id}\ndata:\n\n`;
}

export function retryFrame(ms: number): string {
  return `retry: ${ms}\n\n`;
}
