import { type ClientInfo, isAgreed, type LogLevel, NOT_AGREED, type SessionRecord } from '@gantry/mcp-core';

/** What of a session never changes. */
interface About {
  readonly server: string;
  readonly owner: string;
  readonly id: string;
  readonly transport: SessionRecord['transport'];
  readonly node: string;
  readonly createdAt: number;
  /** The scopes it is counted under. */
  readonly scopes: readonly string[];
}

/** A session as it is stored: its record, and the scopes it is counted under. */
export interface StoredSession {
  readonly record: SessionRecord;
  readonly scopes: readonly string[];
}

/** Fields and values of a new session's hash, in turn. */
export function fieldsOf({ record, scopes }: StoredSession): string[] {
  const { server, owner, id, transport, client, node, createdAt } = record;
  const about: About = { server, owner, id, transport, node, createdAt, scopes };
  return [
    ...['about', JSON.stringify(about), 'stream', record.standaloneStream, 'level', record.logLevel],
    ...['initialized', record.initialized ? '1' : '0', 'seen', String(record.lastSeenAt)],
    ...['ends', String(record.expiresAt), 'indexed', String(record.expiresAt)],
    ...(isAgreed(record) ? ['client', JSON.stringify(client)] : []),
  ];
}

/** A session from the values of `FIELDS`; undefined when there is none. */
export function sessionFrom(values: readonly (string | null)[]): StoredSession | undefined {
  const [about, stream, level, initialized, seen, ends, client] = values;
  if (typeof about !== 'string') return undefined;
  const { scopes, ...fixed } = JSON.parse(about) as About;
  const record: SessionRecord = {
    ...fixed,
    client: typeof client === 'string' ? (JSON.parse(client) as ClientInfo) : NOT_AGREED,
    logLevel: level as LogLevel,
    initialized: initialized === '1',
    standaloneStream: stream as string,
    lastSeenAt: Number(seen),
    expiresAt: Number(ends),
  };
  return { record, scopes };
}

/** What the lists of sessions need of an `about` field; undefined when it is empty. */
export function listedAs(about: string): Pick<About, 'scopes' | 'createdAt'> | undefined {
  return about === '' ? undefined : (JSON.parse(about) as About);
}
