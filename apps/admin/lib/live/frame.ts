import type { SseEvent } from '@/lib/sse/parse';

/** One word about a topic. */
export interface LiveFrame {
  topic: string;
  kind: string;
  data: unknown;
}

/** What an event of the stream says; undefined for what is not about a topic. */
export function readFrame(event: SseEvent): LiveFrame | undefined {
  try {
    const parsed = JSON.parse(event.data) as { topic?: unknown };
    if (typeof parsed?.topic !== 'string') return undefined;
    return { topic: parsed.topic, kind: event.event, data: parsed };
  } catch {
    return undefined;
  }
}
