import { Client as V2Client, StreamableHTTPClientTransport as V2Transport } from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { type ChaosClient, saysSessionLost } from './client.js';
import { type Ledger, Progress, type Said, Told } from './ledger.js';

const INFO = { name: 'chaos', version: '0.0.1' };
const CALL_MS = 45_000;
const ATTEMPTS = 200;
/** Both clients give up after two attempts unless told otherwise. */
const RECONNECTION = {
  initialReconnectionDelay: 50,
  maxReconnectionDelay: 500,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 10_000,
};

interface Connected {
  call(tool: string, hear: (progress: number) => void): Promise<unknown>;
  list(): Promise<unknown>;
  end(): Promise<void>;
}

export type OfficialName = 'sdk 1' | 'client 2';

/** An official client in a session; what it does about broken streams is its own affair. */
export async function openOfficial(name: OfficialName, url: string, key: string, ledger: Ledger): Promise<ChaosClient> {
  const told = new Told(ledger);
  const connect = name === 'sdk 1' ? connectV1 : connectV2;
  const client = await persistently(() => connect(url, key, (said) => told.hear(said)));
  return {
    async call(tool) {
      const progress = new Progress(ledger);
      try {
        await client.call(tool, (reached) => progress.hear(reached));
        ledger.calls.done += 1;
        progress.end(`${tool} by ${name}`);
      } catch (error) {
        if (saysSessionLost(error)) throw error;
        if (/Outcome unknown|stop/i.test((error as Error).message)) ledger.calls.unknown += 1;
        else ledger.calls.cut += 1;
      }
    },
    get heard() {
      return told.number;
    },
    probe: () => persistently(async () => void (await client.list())),
    end: () => client.end(),
  };
}

async function connectV1(url: string, key: string, hear: (said: Said) => void): Promise<Connected> {
  const client = new V1Client(INFO);
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => hear(params.data as Said));
  const transport = new V1Transport(new URL(url), { requestInit: credentials(key), reconnectionOptions: RECONNECTION });
  await client.connect(transport as Parameters<V1Client['connect']>[0]);
  return {
    call: (name, onProgress) =>
      client.callTool({ name, arguments: {} }, undefined, {
        onprogress: ({ progress }) => onProgress(progress),
        timeout: CALL_MS,
      }),
    list: () => client.listTools(),
    end: () => leave(transport, client),
  };
}

async function connectV2(url: string, key: string, hear: (said: Said) => void): Promise<Connected> {
  const client = new V2Client(INFO, { versionNegotiation: { mode: 'legacy' } });
  client.setNotificationHandler('notifications/message', ({ params }) => hear(params.data as Said));
  const transport = new V2Transport(new URL(url), { requestInit: credentials(key), reconnectionOptions: RECONNECTION });
  await client.connect(transport);
  return {
    call: (name, onProgress) =>
      client.callTool(
        { name, arguments: {} },
        { onprogress: ({ progress }) => onProgress(progress), timeout: CALL_MS },
      ),
    list: () => client.listTools(),
    end: () => leave(transport, client),
  };
}

async function leave(
  transport: { terminateSession(): Promise<void> },
  client: { close(): Promise<void> },
): Promise<void> {
  await transport.terminateSession().catch(() => undefined);
  await client.close().catch(() => undefined);
}

function credentials(key: string): RequestInit {
  return { headers: { authorization: `Bearer ${key}` } };
}

async function persistently<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || saysSessionLost(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
