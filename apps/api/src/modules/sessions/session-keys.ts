import { hash } from 'node:crypto';
import { type SessionKey, sessionKeyText } from '@gantry/mcp-core';

/** 132 bits: nobody finds two sessions that share them. */
const TAG_LENGTH = 22;

/** What tags begin with that no session stands behind. */
const ALONE = '~';

/** Whether the streams under a tag live by themselves. */
export function standsAlone(tag: string): boolean {
  return tag.startsWith(ALONE);
}

/**
 * The hash tag of a session: every Redis key of it contains `{tag}`, so that one script can reach them all in a Redis
 * Cluster too. Made from the whole key, so that a foreign caller's id leads to keys that do not exist.
 */
export function sessionTag(key: SessionKey): string {
  const tag = hash('sha256', sessionKeyText(key), 'base64url').slice(0, TAG_LENGTH);
  return key.alone ? `${ALONE}${tag}` : tag;
}

/** The keys that a session has one of. */
export interface SessionKeys {
  /** The session itself, a hash. A session whose hash is gone does not exist, whatever else is left of it. */
  readonly session: string;
  /** Names of its streams, a sorted set: by when they are forgotten, `inf` while they are open. */
  readonly streams: string;
  /** The URIs it is subscribed to, a hash: by URI the number of the subscription. */
  readonly subscriptions: string;
  /** What stateful tools keep, as JSON text. */
  readonly state: string;
  /** Who holds the turn of stateful runs and until when, a hash. */
  readonly turn: string;
  /** Tickets that wait for the turn, a list from the oldest on. */
  readonly queue: string;
  /** When each waiting ticket was last heard of, a hash. */
  readonly waiting: string;
  /** Words between nodes that may have got lost, a hash; see `buses/node-words.ts`. */
  readonly words: string;
}

export function sessionKeys(tag: string): SessionKeys {
  const session = `gantry:s:{${tag}}`;
  return {
    session,
    streams: `${session}:streams`,
    subscriptions: `${session}:subs`,
    state: `${session}:state`,
    turn: `${session}:turn`,
    queue: `${session}:queue`,
    waiting: `${session}:waiting`,
    words: `${session}:words`,
  };
}

/** The keys of one stream of a session. */
export interface StreamKeys {
  /** Its events, a list from the oldest kept to the newest. */
  readonly events: string;
  /** What else is known of it, a hash. */
  readonly meta: string;
}

export function streamKeys(tag: string, stream: string): StreamKeys {
  const session = `gantry:s:{${tag}}`;
  return { events: `${session}:e:${stream}`, meta: `${session}:m:${stream}` };
}
