'use client';
import type { Session, SessionDetail, SessionFrame, SessionMessage, SessionsFrame } from '@gantry/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState } from 'react';
import type { Walked } from '@/lib/api/query';
import { applyFrame } from '@/lib/live/rows';
import { usePolling, useTopic } from '@/lib/live/use-live';
import { matches, type SessionFilter } from './filter';
import { sessionKeys } from './keys';
import { type BufferAction, emptyBuffer, type MessageBuffer, reduceBuffer } from './message-buffer';

/** Keeps the filtered list of a tenant's sessions as the stream tells it. */
export function useLiveSessions(tenant: string, filter: SessionFilter): { refetchInterval: number | false } {
  const client = useQueryClient();
  useTopic(`sessions:${tenant}`, (frame) => {
    client.setQueryData<Walked<Session>>(
      sessionKeys.list(tenant, filter),
      (before) => before && mergeSessions(before, frame as SessionsFrame, filter),
    );
  });
  return { refetchInterval: usePolling() };
}

/** The filtered list after a frame, which is of all sessions of the tenant. */
export function mergeSessions(before: Walked<Session>, frame: SessionsFrame, filter: SessionFilter): Walked<Session> {
  const { node, ...rest } = filter;
  const known = new Set(before.items.map(({ id }) => id));
  // A node filter also finds sessions by what a node holds, which a row does not say: those listed stay.
  const items = applyFrame(before.items, frame).filter((row) => matches(row, known.has(row.id) ? rest : filter));
  const silentNodes = frame.kind === 'snapshot' ? frame.silentNodes : before.silentNodes;
  return { ...before, items, silentNodes: silentNodes?.length ? [...silentNodes] : undefined };
}

export interface LiveSession {
  buffer: MessageBuffer;
  tell: (action: BufferAction) => void;
  /** The stream has said that the session is over. */
  ended: boolean;
}

/**
 * Keeps one session as the stream tells it, and its messages, while `watching`; `painted` are messages that are known
 * from elsewhere.
 */
export function useLiveSession(
  tenant: string,
  id: string,
  painted: Walked<SessionMessage> | undefined,
  watching: boolean,
): LiveSession {
  const client = useQueryClient();
  const [buffer, tell] = useReducer(reduceBuffer, emptyBuffer);
  const [ended, setEnded] = useState(false);
  useEffect(() => {
    if (painted) tell({ type: 'add', messages: painted.items, dropped: painted.dropped });
  }, [painted]);
  useTopic(watching ? `session:${tenant}/${id}` : undefined, (frame) => {
    const { session, inFlightCalls, openStreams, silentNodes, messages } = frame as SessionFrame;
    tell({ type: 'add', messages });
    setEnded(session === undefined);
    client.setQueryData<SessionDetail>(
      sessionKeys.one(tenant, id),
      (before) => before && { ...before, ...session, inFlightCalls, openStreams, silentNodes },
    );
  });
  return { buffer, tell, ended };
}
