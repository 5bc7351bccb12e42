import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../create-endpoint.js';
import type { HostHooks } from '../dispatch/host.js';
import type { ListKind } from '../ports/change-bus.js';
import { FakeClock } from '../testing/fake-clock.js';
import { fixtureSnapshot } from '../testing/fixture-server.js';
import { ScriptedClient } from '../testing/scripted-client.js';
import { turnOver } from '../testing/turn.js';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const tools = { notifications: { toolsListChanged: true } };

function setUp(hooks: HostHooks = {}, expiresAt?: (now: number) => number) {
  const clock = new FakeClock();
  const endpoint = createMcpEndpoint({ clock });
  const snapshot = fixtureSnapshot();
  const host = { hooks, expiresAt: expiresAt?.(clock.now()) };
  const client = new ScriptedClient(endpoint, { snapshot, host });
  const changed = async (server = 'fixture', list: ListKind = 'tools') => {
    await endpoint.changed(server, { kind: 'list', list }, snapshot.settings);
    await turnOver();
  };
  return { client, clock, endpoint, changed };
}

describe('subscriptions/listen', () => {
  it('acknowledges first, keeps the type of the id everywhere, and ends with a result (wire C30, wire C33, MOD-06)', async () => {
    for (const id of [1, '1', 'x', 0]) {
      const { client, endpoint, changed } = setUp();
      const stream = client.modern('subscriptions/listen', tools, { id });
      await changed();
      await endpoint.close({ graceMs: 0 });
      expect(stream.done).toBe(true);
      expect(stream.messages).toEqual([
        {
          jsonrpc: '2.0',
          method: 'notifications/subscriptions/acknowledged',
          params: { notifications: { toolsListChanged: true }, _meta: { [SUBSCRIPTION]: id } },
        },
        { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta: { [SUBSCRIPTION]: id } } },
        {
          jsonrpc: '2.0',
          id,
          result: {
            resultType: 'complete',
            _meta: {
              'io.modelcontextprotocol/serverInfo': { name: 'fixture', version: '1.0.0', title: 'Fixture' },
              [SUBSCRIPTION]: id,
            },
          },
        },
      ]);
      expect(stream.frames.every((frame) => frame.id === undefined)).toBe(true);
    }
  });

  it('leaves out what is not served, and tells only what was asked for (wire C31)', async () => {
    const { client, changed } = setUp();
    const none = client.modern('subscriptions/listen', { notifications: { promptsListChanged: true, other: 1 } });
    const all = client.modern('subscriptions/listen', tools);
    await changed();
    await changed('fixture', 'prompts');
    expect(none.messages.map(({ params }) => params.notifications)).toEqual([{}]);
    expect(all.messages).toHaveLength(2);
  });

  it('hears nothing of another server (wire C32)', async () => {
    const { client, changed } = setUp();
    const stream = client.modern('subscriptions/listen', tools);
    await changed('other');
    expect(stream.messages).toHaveLength(1);
  });

  it('refuses params without a filter in-band, and clients that take no stream with 406', async () => {
    const { client } = setUp();
    for (const params of [{}, { notifications: [] }, { notifications: { toolsListChanged: 'yes' } }]) {
      expect(client.modern('subscriptions/listen', params).message.error.code).toBe(-32602);
    }
    const json = await client
      .modern('subscriptions/listen', tools, { headers: { accept: 'application/json' } })
      .finished();
    expect([json.status, json.message.error.code]).toEqual([406, -32600]);
  });

  it('takes one slot for each stream and gives it back as soon as the client leaves (MEM-04)', async () => {
    let open = 0;
    const full = { status: 429, code: -32603, message: 'Too many listens', headers: { 'retry-after': '5' } };
    const release = () => void open--;
    const beforeListen = () => {
      if (open === 2) return full;
      open++;
      return release;
    };
    const { client, endpoint } = setUp({ beforeListen });
    const first = client.modern('subscriptions/listen', tools);
    client.modern('subscriptions/listen', tools);
    const refused = await client.modern('subscriptions/listen', tools).finished();
    expect([refused.status, refused.headers['retry-after'], refused.message.error.code]).toEqual([429, '5', -32603]);
    first.disconnect();
    expect([open, endpoint.load.listens]).toEqual([1, 1]);
    expect(client.modern('subscriptions/listen', tools).streaming).toBe(true);
    await endpoint.close({ graceMs: 0 });
    expect(open).toBe(0);
  });

  it('ends with a result when the credential ends (wire C33)', async () => {
    const { client, clock } = setUp({}, (now) => now + 60_000);
    const stream = client.modern('subscriptions/listen', tools);
    clock.advance(59_999);
    expect(stream.response).toBeUndefined();
    clock.advance(1);
    await stream.finished();
    expect(stream.response.result.resultType).toBe('complete');
  });

  it('keeps a silent stream alive with comments (SSE-01)', () => {
    const { client, clock } = setUp();
    const stream = client.modern('subscriptions/listen', tools);
    clock.advance(45_000);
    expect(stream.frames.filter(({ comment }) => comment === 'keep-alive')).toHaveLength(3);
  });
});
