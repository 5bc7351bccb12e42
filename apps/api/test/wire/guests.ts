import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Arrivals } from './deadline.js';
import type { Credentials, OfficialName } from './official.js';
import { watchedFetch } from './watched-fetch.js';

// biome-ignore lint/suspicious/noExplicitAny: the types of two libraries meet here
type Any = any;

/** A notification as it arrived. */
export interface Heard {
  readonly method: string;
  readonly params: Any;
}

/** What one answers to the questions of a server; a question without an entry is one the client cannot be asked. */
export interface Answers {
  readonly elicit?: (params: Any) => object;
  readonly sample?: (params: Any) => object;
  readonly roots?: () => object;
}

/** An official client at a server's prompts, resources and questions. */
export interface Guest {
  readonly heard: Arrivals<Heard>;
  /** Names or URIs of a whole list, page by page; `pages` is how many were asked for. */
  list(what: 'tools' | 'prompts' | 'resources' | 'resourceTemplates'): Promise<{ ids: string[]; pages: number }>;
  call(name: string, args?: object): Promise<Any>;
  prompt(name: string, args?: Record<string, string>): Promise<Any>;
  read(uri: string): Promise<Any>;
  complete(ref: object, name: string, value: string): Promise<string[]>;
  /** From now on changes of these resources and of all lists are heard, and of no other resource. */
  watch(uris: readonly string[]): Promise<void>;
  setLevel(level: 'info' | 'error'): Promise<void>;
  close(): Promise<void>;
}

const INFO = { name: 'guest', version: '0.0.1' };
const HEARD = [
  'notifications/message',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
] as const;
const LISTS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

export async function connectGuest(
  name: OfficialName,
  { url, key }: Credentials,
  answers: Answers = {},
): Promise<Guest> {
  const { elicit, sample, roots } = answers;
  const capabilities = {
    ...(elicit && { elicitation: { form: {}, url: {} } }),
    ...(sample && { sampling: { tools: {} } }),
    ...(roots && { roots: {} }),
  };
  const heard = new Arrivals<Heard>();
  const hear = ({ method, params }: { method: string; params?: unknown }) =>
    heard.add({ method, params: params ?? {} });
  const init = { requestInit: { headers: { authorization: `Bearer ${key}` } }, fetch: watchedFetch };
  if (name === 'sdk 1.32') {
    const client = new V1Client(INFO, { capabilities });
    if (elicit) client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params) as Any);
    if (sample) client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => sample(params) as Any);
    if (roots) client.setRequestHandler(ListRootsRequestSchema, () => roots() as Any);
    client.fallbackNotificationHandler = async (notification) => hear(notification);
    await client.connect(new V1Transport(new URL(url), init) as Parameters<V1Client['connect']>[0]);
    return guestOf(client, heard, (uris) => inSession(client, uris));
  }
  const mode = name === 'client 2.4, auto' ? 'auto' : 'legacy';
  const client = new Client(INFO, { capabilities, versionNegotiation: { mode } });
  if (elicit) client.setRequestHandler('elicitation/create', (({ params }: Any) => elicit(params)) as Any);
  if (sample) client.setRequestHandler('sampling/createMessage', (({ params }: Any) => sample(params)) as Any);
  if (roots) client.setRequestHandler('roots/list', (() => roots()) as Any);
  for (const method of HEARD) client.setNotificationHandler(method, hear as Any);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), init));
  return guestOf(client, heard, mode === 'legacy' ? (uris) => inSession(client, uris) : listening(client));
}

function guestOf(client: Any, heard: Arrivals<Heard>, watch: Guest['watch']): Guest {
  const lists = {
    tools: ['listTools', 'name'],
    prompts: ['listPrompts', 'name'],
    resources: ['listResources', 'uri'],
    resourceTemplates: ['listResourceTemplates', 'uriTemplate'],
  } as const;
  return {
    heard,
    watch,
    async list(what) {
      const [method, key] = lists[what];
      const ids: string[] = [];
      let pages = 0;
      let cursor: string | undefined;
      do {
        const page = await client[method]({ cursor });
        ids.push(...page[what].map((item: Any) => item[key]));
        pages += 1;
        cursor = page.nextCursor;
      } while (cursor !== undefined && pages < 100);
      return { ids, pages };
    },
    call: (name, args = {}) => client.callTool({ name, arguments: args }),
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    read: (uri) => client.readResource({ uri }),
    complete: async (ref, name, value) => (await client.complete({ ref, argument: { name, value } })).completion.values,
    setLevel: async (level) => void (await client.setLoggingLevel(level)),
    close: () => client.close(),
  };
}

const watched = new WeakMap<object, readonly string[]>();

async function inSession(client: Any, uris: readonly string[]): Promise<void> {
  for (const uri of watched.get(client) ?? []) if (!uris.includes(uri)) await client.unsubscribeResource({ uri });
  for (const uri of uris) await client.subscribeResource({ uri });
  watched.set(client, uris);
}

function listening(client: Client): Guest['watch'] {
  let subscription: { close(): Promise<void> } | undefined;
  return async (uris) => {
    await subscription?.close();
    subscription = await client.listen({ ...LISTS, resourceSubscriptions: [...uris] });
  };
}
