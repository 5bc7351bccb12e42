import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Arrivals } from './deadline.js';
import { watchedFetch } from './watched-fetch.js';

export interface Progressed {
  readonly progress: number;
  readonly total?: number | undefined;
}

export interface CallOptions {
  readonly onprogress?: (progress: Progressed) => void;
  readonly signal?: AbortSignal;
  readonly meta?: Record<string, unknown>;
}

/** What the official clients have in common, each spoken to in its own way. */
export interface Official {
  /** The revision in use. */
  readonly revision: string | undefined;
  readonly sessionId: string | undefined;
  /** `MCP-Protocol-Version` of every request so far. */
  readonly sentVersions: (string | null)[];
  readonly logs: Arrivals<string>;
  readonly listChanges: Arrivals<true>;
  /** Names of all tools, page by page; `pages` is how many there were. */
  list(): Promise<{ names: string[]; pages: number }>;
  // biome-ignore lint/suspicious/noExplicitAny: the types of two libraries meet here
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<any>;
  setLevel(level: 'debug' | 'warning'): Promise<void>;
  endSession(): Promise<void>;
  close(): Promise<void>;
}

export interface Credentials {
  readonly url: string;
  readonly key: string;
}

const INFO = { name: 'official', version: '0.0.1' };

export const officialClients = {
  'client 2.4, auto': (to: Credentials) => connectV2(to, 'auto'),
  'client 2.4, legacy': (to: Credentials) => connectV2(to, 'legacy'),
  'sdk 1.32': connectV1,
};
export type OfficialName = keyof typeof officialClients;

async function connectV2({ url, key }: Credentials, mode: 'auto' | 'legacy'): Promise<Official> {
  const { fetch, sentVersions } = spyingFetch();
  const client = new Client(INFO, { versionNegotiation: { mode } });
  const logs = new Arrivals<string>();
  const listChanges = new Arrivals<true>();
  client.setNotificationHandler('notifications/message', ({ params }) => logs.add(params.level));
  client.setNotificationHandler('notifications/tools/list_changed', () => listChanges.add(true));
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: bearer(key) }, fetch });
  await client.connect(transport);
  if (mode === 'auto') await client.listen({ toolsListChanged: true });
  return {
    revision: client.getNegotiatedProtocolVersion(),
    sentVersions,
    logs,
    listChanges,
    get sessionId() {
      return transport.sessionId;
    },
    list: () => walk((cursor) => client.listTools({ cursor })),
    call: (name, args, { meta, ...options } = {}) =>
      client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) }, options),
    setLevel: async (level) => void (await client.setLoggingLevel(level)),
    endSession: () => transport.terminateSession(),
    close: () => client.close(),
  };
}

async function connectV1({ url, key }: Credentials): Promise<Official> {
  const { fetch, sentVersions } = spyingFetch();
  const client = new V1Client(INFO);
  const logs = new Arrivals<string>();
  const listChanges = new Arrivals<true>();
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => logs.add(params.level));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => listChanges.add(true));
  const transport = new V1Transport(new URL(url), { requestInit: { headers: bearer(key) }, fetch });
  await client.connect(transport as Parameters<V1Client['connect']>[0]);
  return {
    revision: transport.protocolVersion,
    sentVersions,
    logs,
    listChanges,
    get sessionId() {
      return transport.sessionId;
    },
    list: () => walk((cursor) => client.listTools({ cursor })),
    call: (name, args, { meta, ...options } = {}) =>
      client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) }, undefined, options),
    setLevel: async (level) => void (await client.setLoggingLevel(level)),
    endSession: () => transport.terminateSession(),
    close: () => client.close(),
  };
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

function spyingFetch() {
  const sentVersions: (string | null)[] = [];
  const spy = (input: string | URL, init?: RequestInit): Promise<Response> => {
    sentVersions.push(new Headers(init?.headers).get('mcp-protocol-version'));
    return watchedFetch(input, init);
  };
  return { fetch: spy, sentVersions };
}

interface Page {
  readonly tools: readonly { readonly name: string }[];
  readonly nextCursor?: string | undefined;
}

/** An empty cursor is none, so the first page is asked for with `undefined` whatever the client makes of it. */
async function walk(page: (cursor: string | undefined) => Promise<Page>): Promise<{ names: string[]; pages: number }> {
  const names: string[] = [];
  let pages = 0;
  let cursor: string | undefined;
  do {
    const { tools, nextCursor } = await page(cursor);
    names.push(...tools.map(({ name }) => name));
    pages += 1;
    cursor = nextCursor;
  } while (cursor !== undefined && pages < 100);
  return { names, pages };
}
