import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import type { HostContext } from '../../dispatch/host.js';
import { fixturePromptRunner, fixtureResourceRunner, fullSnapshot } from '../../testing/fixture-offers.js';
import { fixtureRunner } from '../../testing/fixture-server.js';
import { sessionsOf } from '../../testing/list-sessions.js';
import { type ServedEndpoint, serveOverHttp } from '../../testing/node-http.js';
import { turnOver } from '../../testing/turn.js';
import type { McpEndpoint } from './endpoint.js';

const IDENTITY = { name: 'official', version: '1.0.0' };

const snapshot = fullSnapshot({ pageSize: 2 });
const definitions = {
  prompts: snapshot.prompts?.map(({ definition }) => definition.name),
  uris: snapshot.resources?.map(({ definition }) => definition.uri),
  templates: snapshot.resourceTemplates?.map(({ definition }) => definition.uriTemplate),
};
let endpoint: McpEndpoint;
let served: ServedEndpoint;

beforeEach(async () => {
  endpoint = createMcpEndpoint();
  const host: HostContext = {
    server: 's',
    snapshot,
    owner: 'o',
    principal: { kind: 'key', id: 'k', scopes: [] },
    runner: fixtureRunner,
    promptRunner: fixturePromptRunner,
    resourceRunner: fixtureResourceRunner,
  };
  served = await serveOverHttp(endpoint, () => host);
});

afterEach(async () => {
  await endpoint.close({ graceMs: 0 });
  await served.close();
});

type Item = Record<string, unknown>;

/** All items of a list, page by page; no page holds more than two. */
async function walk(list: (params: { cursor?: string }) => Promise<object>, member: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = (await list(cursor === undefined ? {} : { cursor })) as Item;
    const shown = page[member] as Item[];
    expect(shown.length).toBeLessThanOrEqual(2);
    items.push(...shown);
    cursor = page.nextCursor as string | undefined;
  } while (cursor !== undefined);
  return items;
}

describe('the official client of 2025 revisions', () => {
  it('walks lists, gets, reads, completes and subscribes (seed H1, wire B27)', async () => {
    const client = new Client(IDENTITY);
    await client.connect(new StreamableHTTPClientTransport(served.url));
    const prompts = await walk((params) => client.listPrompts(params), 'prompts');
    const resources = await walk((params) => client.listResources(params), 'resources');
    const templates = await walk((params) => client.listResourceTemplates(params), 'resourceTemplates');
    expect({
      prompts: prompts.map(({ name }) => name),
      uris: resources.map(({ uri }) => uri),
      templates: templates.map(({ uriTemplate }) => uriTemplate),
    }).toEqual(definitions);
    const { messages } = await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Hello, Ada!' } }]);
    expect((await client.readResource({ uri: 'orders://7' })).contents).toMatchObject([{ text: '{"id":"7"}' }]);
    await expect(client.readResource({ uri: 'docs://nothing' })).rejects.toMatchObject({ code: -32002 });
    const argument = { name: 'who', value: 'a' };
    const { completion } = await client.complete({ ref: { type: 'ref/prompt', name: 'greet' }, argument });
    expect(completion.values).toEqual(['Ada', 'Alan']);
    const updated = new Promise<string>((resolve) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri));
    });
    await client.subscribeResource({ uri: 'docs://readme' });
    // What was said before the stream is attached is not shown on it.
    while ((await sessionsOf(endpoint, 's'))[0]?.streams !== 1) await turnOver();
    await endpoint.changed('s', { kind: 'resource', uri: 'docs://readme' }, snapshot.settings);
    expect(await updated).toBe('docs://readme');
    await client.unsubscribeResource({ uri: 'docs://readme' });
    await client.close();
  });
});

describe('the official client of 2026-07-28', () => {
  it('walks lists, gets, reads and completes (seed H1, wire C21)', async () => {
    const client = new ModernClient(IDENTITY, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new ModernTransport(served.url));
    const { prompts } = await client.listPrompts();
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    expect({
      prompts: prompts.map(({ name }) => name),
      uris: resources.map(({ uri }) => uri),
      templates: resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    }).toEqual(definitions);
    const { messages } = await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } });
    expect(messages).toMatchObject([{ content: { text: 'Hello, Ada!' } }]);
    expect((await client.readResource({ uri: 'docs://readme' })).contents).toMatchObject([{ text: '# Hi' }]);
    await expect(client.readResource({ uri: 'docs://nothing' })).rejects.toMatchObject({ code: -32602 });
    const argument = { name: 'id', value: 'O-1' };
    const { completion } = await client.complete({ ref: { type: 'ref/resource', uri: 'orders://{id}' }, argument });
    expect(completion.values).toContain('O-149');
    await client.close();
  });
});
