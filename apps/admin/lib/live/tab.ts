'use client';
import { leaveForSignIn } from '@/lib/api/client';
import { withQuery } from '@/lib/api/path';
import type { SseEvent } from '@/lib/sse/parse';
import { LiveConnection, type LiveStatus } from './connection';
import { type LiveFrame, readFrame } from './frame';
import { TopicNumbers } from './sequence';

type FrameListener = (frame: LiveFrame) => void;

const idle: LiveStatus = { state: 'idle', lastEventAt: undefined };
const frameListeners = new Map<string, Set<FrameListener>>();
const statusListeners = new Set<() => void>();
const numbers = new TopicNumbers();
let connection: LiveConnection | undefined;

function tabConnection(): LiveConnection {
  if (connection) return connection;
  const own = new LiveConnection({
    open: (topics, lastEventId, signal) =>
      fetch(withQuery('/api/stream', { topics: topics.join(',') }), {
        headers: {
          accept: 'text/event-stream',
          ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
        },
        signal,
        cache: 'no-store',
      }),
    onEvent: route,
    onStatus: () => {
      for (const tell of statusListeners) tell();
    },
    onSignedOut: leaveForSignIn,
  });
  document.addEventListener('visibilitychange', () => own.setHidden(document.hidden));
  connection = own;
  return own;
}

function route(event: SseEvent): void {
  const frame = readFrame(event);
  if (!frame) return;
  const verdict = numbers.judge(frame);
  if (verdict === 'gap') connection?.restart();
  if (verdict === 'take') for (const listener of frameListeners.get(frame.topic) ?? []) listener(frame);
}

/** Hears what is said of a topic, from its first snapshot on. The function it gives ends that. */
export function watchTopic(topic: string, listener: FrameListener): () => void {
  const listeners = frameListeners.get(topic) ?? new Set();
  frameListeners.set(topic, listeners.add(listener));
  const release = tabConnection().watch(topic);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      frameListeners.delete(topic);
      numbers.forget(topic);
    }
    release();
  };
}

export function subscribeStatus(listener: () => void): () => void {
  statusListeners.add(listener);
  return () => statusListeners.delete(listener);
}

export const currentStatus = (): LiveStatus => connection?.status ?? idle;
export const serverStatus = (): LiveStatus => idle;
export const pauseLive = (): void => connection?.pause();
export const resumeLive = (): void => connection?.resume();

/** Ends the stream for good: whoever signs out hears nothing more, at once. */
export const closeLive = (): void => connection?.close();
