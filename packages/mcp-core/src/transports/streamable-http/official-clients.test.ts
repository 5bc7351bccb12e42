import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import type { HostContext } from '../../dispatch/host.js';
import { fixtureRunner, fixtureSnapshot, fixtureTools, Gate } from '../../testing/fixture-server.js';
import { sessionsOf } from '../../testing/list-sessions.js';
import { type ServedEndpoint, serveOverHttp } from '../../testing/node-http.js';
import type { McpEndpoint } from './endpoint.js';

const IDENTITY = { name: 'official', version: '1.0.0' };

let endpoint: McpEndpoint;
let served: ServedEndpoint;
let gate: Gate;
const snapshotOf = () => fixtureSnapshot(fixtureTools(gate), { pageSize: 2 });
let snapshot: ReturnType<typeof snapshotOf>;

beforeEach(async () => {
  gate = new Gate();
  snapshot = snapshotOf();
  endpoint = createMcpEndpoint();
  const principal = { kind: 'key', id: 'k', scopes: [] };
  const host: HostContext = { server: 's', snapshot, owner: 'o', principal, runner: fixtureRunner };
  served = await serveOverHttp(endpoint, () => host);
});

afterEach(async () => {
  await endpoint.close({ graceMs: 0 });
  await served.close();
});

describe('the official client of 2025 revisions', () => {
  async function connect() {
    const client = new Client(IDENTITY);
    const transport = new StreamableHTTPClientTransport(served.url);
    await client.connect(transport);
    return { client, transport };
  }

  it('walks pages, calls tools, hears progress, and ends its session', async () => {
    const { client, transport } = await connect();
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools({ cursor });
      names.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(names).toEqual(snapshot.tools.map(({ definition }) => definition.name));
    expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toMatchObject({
      content: [{ text: '3' }],
    });
    const heard: number[] = [];
    const result = await client.callTool({ name: 'progress', arguments: { steps: 10 } }, undefined, {
      onprogress: ({ progress }) => void heard.push(progress),
    });
    expect(heard).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(result).toMatchObject({ content: [{ text: 'done' }] });
    await expect(client.callTool({ name: 'nope' })).rejects.toMatchObject({ code: -32602 });
    await transport.terminateSession();
    expect(await sessionsOf(endpoint, 's')).toEqual([]);
    await client.close();
  });

  it('cancels a call and hears list changes on its stream', async () => {
    const { client } = await connect();
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
    });
    const controller = new AbortController();
    const call = client.callTool({ name: 'block' }, undefined, { signal: controller.signal });
    await gate.entered();
    const aborted = new Promise<void>((resolve) => gate.signals[0]?.addEventListener('abort', () => resolve()));
    controller.abort('enough');
    await expect(call).rejects.toThrow();
    await aborted;
    await waitFor(async () => (await sessionsOf(endpoint, 's'))[0]?.streams === 1);
    await endpoint.changed('s', { kind: 'list', list: 'tools' }, snapshot.settings);
    await changed;
    await client.close();
  });
});

describe('the official client of 2026-07-28', () => {
  it('discovers, walks pages, calls tools, hears progress, and cancels by leaving', async () => {
    const client = new ModernClient(IDENTITY, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new ModernTransport(served.url));
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(0);
    expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toMatchObject({
      content: [{ text: '3' }],
    });
    const heard: number[] = [];
    await client.callTool({ name: 'progress' }, { onprogress: ({ progress }) => void heard.push(progress) });
    expect(heard).toEqual([1, 2, 3]);
    const controller = new AbortController();
    const call = client.callTool({ name: 'block' }, { signal: controller.signal });
    await gate.entered();
    const aborted = new Promise<void>((resolve) => gate.signals[0]?.addEventListener('abort', () => resolve()));
    controller.abort('enough');
    await expect(call).rejects.toThrow();
    await aborted;
    await client.close();
  });

  it('finds the modern revision by itself', async () => {
    const client = new ModernClient(IDENTITY, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new ModernTransport(served.url));
    expect(await client.callTool({ name: 'boom' })).toMatchObject({ isError: true });
    expect(await sessionsOf(endpoint, 's')).toEqual([]);
    await client.close();
  });
});

/** Asks again on each turn of the loop until it is so; the test's own limit ends it. */
async function waitFor(ready: () => Promise<boolean>): Promise<void> {
  while (!(await ready())) await new Promise((resolve) => setImmediate(resolve));
}
