import type { CallsFrame, JobsFrame, NodesFrame, SessionFrame, SessionsFrame } from '@gantry/contracts';
import type { SseEvent } from '@/lib/sse/parse';

/** One word about a topic: all there is (`snapshot`), or what changed since the frame before (`delta`). */
export type LiveFrame = SessionsFrame | NodesFrame | CallsFrame | JobsFrame | SessionFrame;

/** What an event of the stream says; undefined for what is not about a topic, as is its last word before it closes. */
export function readFrame(event: SseEvent): LiveFrame | undefined {
  let frame: Partial<LiveFrame> | null;
  try {
    frame = JSON.parse(event.data);
  } catch {
    return undefined;
  }
  const known = frame?.kind === 'snapshot' || frame?.kind === 'delta';
  return known && typeof frame?.topic === 'string' && typeof frame.number === 'number'
    ? (frame as LiveFrame)
    : undefined;
}
