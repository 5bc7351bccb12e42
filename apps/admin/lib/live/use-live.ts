'use client';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { LiveFrame } from './frame';
import { currentStatus, pauseLive, resumeLive, serverStatus, subscribeStatus, watchTopic } from './tab';

/** How often a screen asks again while its stream is away. */
const pollMs = 10_000;

/** The state of the tab's stream, and what its pill can do with it. */
export function useLiveStatus() {
  const status = useSyncExternalStore(subscribeStatus, currentStatus, serverStatus);
  return { status, pause: pauseLive, resume: resumeLive };
}

/** The `refetchInterval` of queries behind a live topic: they poll only while the stream stays away. */
export function usePolling(): number | false {
  const { status } = useLiveStatus();
  return status.state === 'delayed' && pollMs;
}

/** Watches a topic while the component lives; without a topic nothing. */
export function useTopic(topic: string | undefined, onFrame: (frame: LiveFrame) => void): void {
  const latest = useRef(onFrame);
  useEffect(() => {
    latest.current = onFrame;
  });
  useEffect(() => {
    if (topic !== undefined) return watchTopic(topic, (frame) => latest.current(frame));
  }, [topic]);
}
