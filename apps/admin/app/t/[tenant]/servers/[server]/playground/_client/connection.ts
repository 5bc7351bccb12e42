import type { PlaygroundToken } from '@gantry/contracts';
import type { Client, ClientCapabilities, LoggingLevel, McpSubscription } from '@modelcontextprotocol/client';
import { elicit, type InputRequest, listRoots, sample } from '@/lib/questions/requests';
import { createTokenSource } from './token-source';
import type { TraceStore } from './trace';
import { createTracedFetch } from './traced-fetch';

export const eras = ['2026-07-28', '2025-11-25'] as const;
export type Era = (typeof eras)[number];
export const capabilityNames = ['form', 'url', 'sampling', 'roots'] as const;
export type CapabilityName = (typeof capabilityNames)[number];

/** How long a call may take, the time of a person who answers its questions included. */
export const callTimeoutMs = 600_000;

export interface ConnectOptions {
  era: Era;
  capabilities: readonly CapabilityName[];
  token: PlaygroundToken;
  renew: () => Promise<PlaygroundToken>;
  trace: TraceStore;
  /** Answers a question of the server; rejects when the person refuses. */
  onQuestion: (request: InputRequest, signal: AbortSignal | undefined) => Promise<Record<string, unknown>>;
  onNotification: (method: string, params: Record<string, unknown>) => void;
  onClose: () => void;
}

export interface Connection {
  client: Client;
  era: Era;
  /** The resources watched now. */
  readonly watched: readonly string[];
  /** Changes which resources are watched; in either era's way. */
  watch(uris: readonly string[]): Promise<void>;
  /** What a call carries in `_meta`, so that it is logged at this level. */
  meta(level: LoggingLevel): Record<string, unknown>;
  setLevel(level: LoggingLevel): Promise<void>;
  close(): Promise<void>;
}

function declared(names: readonly CapabilityName[]): ClientCapabilities {
  const capabilities: ClientCapabilities = {};
  if (names.includes('form')) capabilities.elicitation = { form: {} };
  if (names.includes('url')) capabilities.elicitation = { ...capabilities.elicitation, url: {} };
  if (names.includes('sampling')) capabilities.sampling = { tools: {} };
  if (names.includes('roots')) capabilities.roots = {};
  return capabilities;
}

const heard = [
  'notifications/message',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
] as const;

/** The client's code, loaded when it is first needed. */
async function loadClient() {
  // The page allows no code made from text; told before it loads, the client's schemas do without trying.
  const zod = globalThis as { __zod_globalConfig?: { jitless?: boolean } };
  zod.__zod_globalConfig = { ...zod.__zod_globalConfig, jitless: true };
  return import('@modelcontextprotocol/client');
}

/** A real client of the public endpoint. Rejects with what the client says went wrong. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { era, capabilities, token, renew, trace, onQuestion, onNotification, onClose } = options;
  const lib = await loadClient();
  const client = new lib.Client(
    { name: 'gantry-playground', title: 'Gantry playground', version: '1.0.0' },
    {
      capabilities: declared(capabilities),
      versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } },
    },
  );
  const ask = (request: { method: string; params?: unknown }, context?: { mcpReq?: { signal?: AbortSignal } }) =>
    onQuestion(request as InputRequest, context?.mcpReq?.signal).catch((error: unknown) => {
      // The code that the specification names for a sampling request the person has refused.
      throw new lib.ProtocolError(-1, error instanceof Error ? error.message : String(error));
    });
  if (capabilities.includes('form') || capabilities.includes('url')) client.setRequestHandler(elicit, ask as never);
  if (capabilities.includes('sampling')) client.setRequestHandler(sample, ask as never);
  if (capabilities.includes('roots')) client.setRequestHandler(listRoots, ask as never);
  for (const method of heard) {
    client.setNotificationHandler(method, (notification: { params?: unknown }) =>
      onNotification(method, (notification.params ?? {}) as Record<string, unknown>),
    );
  }
  client.fallbackNotificationHandler = async ({ method, params }) => onNotification(method, params ?? {});
  client.onclose = onClose;
  const transport = new lib.StreamableHTTPClientTransport(new URL(token.endpoint), {
    fetch: createTracedFetch(trace, createTokenSource(token, renew), (url, init) => fetch(url, init)),
  });
  await client.connect(transport);

  let subscription: McpSubscription | undefined;
  let watched: readonly string[] = [];

  async function listen(uris: readonly string[]): Promise<void> {
    const offered = client.getServerCapabilities();
    const filter = {
      ...(offered?.tools?.listChanged ? { toolsListChanged: true } : {}),
      ...(offered?.prompts?.listChanged ? { promptsListChanged: true } : {}),
      ...(offered?.resources?.listChanged ? { resourcesListChanged: true } : {}),
      ...(uris.length > 0 ? { resourceSubscriptions: [...uris] } : {}),
    };
    const next = Object.keys(filter).length > 0 ? await client.listen(filter) : undefined;
    await subscription?.close();
    subscription = next;
  }

  async function watch(uris: readonly string[]): Promise<void> {
    if (era === '2026-07-28') await listen(uris);
    else {
      for (const uri of uris) if (!watched.includes(uri)) await client.subscribeResource({ uri });
      for (const uri of watched) if (!uris.includes(uri)) await client.unsubscribeResource({ uri });
    }
    watched = uris;
  }

  if (era === '2026-07-28') {
    await listen([]).catch(async (error: unknown) => {
      await client.close();
      throw error;
    });
  }
  return {
    client,
    era,
    get watched() {
      return watched;
    },
    watch,
    meta: (level) => (era === '2026-07-28' ? { _meta: { [lib.LOG_LEVEL_META_KEY]: level } } : {}),
    setLevel: async (level) => {
      if (era === '2025-11-25' && client.getServerCapabilities()?.logging) await client.setLoggingLevel(level);
    },
    close: async () => {
      // Only a session of 2025 has something to end; without one this does nothing.
      await transport.terminateSession().catch(() => undefined);
      await client.close();
    },
  };
}
