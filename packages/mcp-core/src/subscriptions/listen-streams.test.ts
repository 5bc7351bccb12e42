import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../create-endpoint.js';
import type { HostHooks } from '../dispatch/host.js';
import { MAX_SUBSCRIPTIONS } from '../dispatch/limits.js';
import type { ListKind, ServerChange } from '../ports/change-bus.js';
import { FakeClock } from '../testing/fake-clock.js';
import { fullSnapshot } from '../testing/fixture-offers.js';
import { fixtureSettings, fixtureSnapshot } from '../testing/fixture-server.js';
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

  it('honours each kind that the server has, and resources that are there for the caller (wire C30, C31, C33)', async () => {
    const snapshot = fullSnapshot();
    const denied = { status: 403, code: -32600, message: 'no' };
    const authorize = (method: string, { uri }: Record<string, unknown>) =>
      method === 'resources/read' && uri === 'docs://boom' ? denied : undefined;
    const client = new ScriptedClient(createMcpEndpoint(), { snapshot, host: { hooks: { authorize } } });
    const listen = (notifications: object) =>
      client.modern('subscriptions/listen', { notifications }).messages[0].params.notifications;
    const flags = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    expect(listen(flags)).toEqual(flags);
    expect(listen({ promptsListChanged: false, resourcesListChanged: true })).toEqual({ resourcesListChanged: true });
    const uris = ['docs://readme', 'orders://7', 'docs://readme', 'docs://boom', 'docs://nothing'];
    expect(listen({ resourceSubscriptions: uris })).toEqual({ resourceSubscriptions: ['docs://readme', 'orders://7'] });
    expect(listen({ resourceSubscriptions: ['docs://boom'] })).toEqual({ resourceSubscriptions: [] });
    client.snapshot = fixtureSnapshot();
    expect(listen({ ...flags, resourceSubscriptions: uris })).toEqual({ toolsListChanged: true });
  });

  it('tells each stream what it asked for, and nothing else (wire C31)', async () => {
    const snapshot = fullSnapshot();
    const endpoint = createMcpEndpoint();
    const client = new ScriptedClient(endpoint, { snapshot });
    const listen = (notifications: object, id: string) =>
      client.modern('subscriptions/listen', { notifications }, { id });
    const lists = listen({ promptsListChanged: true, resourcesListChanged: true }, 'lists');
    const readme = listen({ resourceSubscriptions: ['docs://readme'] }, 'readme');
    const changes: ServerChange[] = [
      { kind: 'list', list: 'tools' },
      { kind: 'list', list: 'prompts' },
      { kind: 'list', list: 'resources' },
      { kind: 'resource', uri: 'docs://readme' },
      { kind: 'resource', uri: 'docs://blob' },
      { kind: 'message', level: 'emergency', data: 'fire' },
    ];
    for (const change of changes) await endpoint.changed('fixture', change, snapshot.settings);
    await turnOver();
    expect(lists.messages.slice(1)).toEqual(
      ['prompts', 'resources'].map((list) => ({
        jsonrpc: '2.0',
        method: `notifications/${list}/list_changed`,
        params: { _meta: { [SUBSCRIPTION]: 'lists' } },
      })),
    );
    expect(readme.messages.slice(1)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri: 'docs://readme', _meta: { [SUBSCRIPTION]: 'readme' } },
      },
    ]);
  });

  it('asks for the right to a resource again when it is told of it', async () => {
    let allowed = true;
    const denied = { status: 403, code: -32600, message: 'no' };
    const authorize = () => (allowed ? undefined : denied);
    const snapshot = fullSnapshot();
    const endpoint = createMcpEndpoint();
    const client = new ScriptedClient(endpoint, { snapshot, host: { hooks: { authorize } } });
    const stream = client.modern('subscriptions/listen', {
      notifications: { resourceSubscriptions: ['docs://readme'] },
    });
    const update = async () => {
      await endpoint.changed('fixture', { kind: 'resource', uri: 'docs://readme' }, snapshot.settings);
      await turnOver();
    };
    await update();
    allowed = false;
    await update();
    expect(stream.messages).toHaveLength(2);
  });

  it('tells a burst once, and nothing to a client that left meanwhile (UPS-04)', async () => {
    const { client, endpoint } = setUp();
    const stays = client.modern('subscriptions/listen', tools);
    const leaves = client.modern('subscriptions/listen', tools);
    const publish = () => endpoint.changed('fixture', { kind: 'list', list: 'tools' }, fixtureSettings);
    for (let time = 0; time < 50; time++) void publish();
    leaves.disconnect();
    await turnOver();
    expect([stays.messages.length, leaves.messages.length]).toEqual([2, 1]);
    await publish();
    await turnOver();
    expect(stays.messages).toHaveLength(3);
  });

  it('names the place of what is wrong in a filter', async () => {
    const client = new ScriptedClient(createMcpEndpoint(), { snapshot: fullSnapshot() });
    const many = Array.from({ length: MAX_SUBSCRIPTIONS + 1 }, (_, at) => `orders://${at}`);
    const refusals: [object, string][] = [
      [{ promptsListChanged: 1 }, 'notifications.promptsListChanged must be a boolean'],
      [{ resourcesListChanged: null }, 'notifications.resourcesListChanged must be a boolean'],
      [{ resourceSubscriptions: 'docs://readme' }, 'notifications.resourceSubscriptions must be an array'],
      [{ resourceSubscriptions: ['a:', 5] }, 'notifications.resourceSubscriptions[1] must be a string'],
      [{ resourceSubscriptions: [`a:${'x'.repeat(3_000)}`] }, 'notifications.resourceSubscriptions[0] is longer than'],
      [{ resourceSubscriptions: many }, 'notifications.resourceSubscriptions names more than 1000 resources'],
    ];
    for (const [notifications, words] of refusals) {
      const { error } = client.modern('subscriptions/listen', { notifications }).message;
      expect([error.code, error.message]).toEqual([-32602, expect.stringContaining(words)]);
    }
    const most = { notifications: { resourceSubscriptions: many.slice(1) } };
    const [acknowledged] = client.modern('subscriptions/listen', most).messages;
    expect(acknowledged.params.notifications.resourceSubscriptions).toHaveLength(MAX_SUBSCRIPTIONS);
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

  it('waits for a slot that has to be asked for, and is refused as soon as there is none', async () => {
    const verdicts: ((verdict: (() => void) | typeof full) => void)[] = [];
    const full = { status: 429, code: -32603, message: 'Too many listens', headers: { 'retry-after': '5' } };
    const { client } = setUp({ beforeListen: () => new Promise((resolve) => verdicts.push(resolve)) });
    const first = client.modern('subscriptions/listen', tools);
    const second = client.modern('subscriptions/listen', tools);
    await turnOver();
    expect([first.streaming, second.streaming]).toEqual([false, false]);
    verdicts[0]?.(() => {});
    verdicts[1]?.(full);
    await second.finished();
    expect([second.status, second.headers['retry-after'], first.streaming]).toEqual([429, '5', true]);
  });

  it('gives the slot back when the client left, or the node closes, while it was asked for', async () => {
    let released = 0;
    let grant = () => {};
    const beforeListen = () =>
      new Promise<() => void>((resolve) => {
        grant = () => resolve(() => void released++);
      });
    const { client, endpoint } = setUp({ beforeListen });
    const left = client.modern('subscriptions/listen', tools);
    await turnOver();
    left.disconnect();
    grant();
    await turnOver();
    expect([released, endpoint.load.listens]).toEqual([1, 0]);
    const late = client.modern('subscriptions/listen', tools);
    await turnOver();
    const closed = endpoint.close({ graceMs: 60_000 });
    grant();
    await late.finished();
    expect([late.status, late.headers['retry-after'], released]).toEqual([503, '1', 2]);
    await closed;
  });

  it('ends as soon as it is open when its credential has ended while the slot was asked for', async () => {
    let released = 0;
    let grant = () => {};
    const beforeListen = () =>
      new Promise<() => void>((resolve) => {
        grant = () => resolve(() => void released++);
      });
    const { client, endpoint } = setUp({ beforeListen });
    const open = async (owner: string) => {
      const stream = client.modern('subscriptions/listen', tools);
      await turnOver();
      await endpoint.endAll({ owner }, 'fixture');
      grant();
      await turnOver();
      return stream;
    };
    const revoked = await open(client.host.owner);
    expect([revoked.done, revoked.messages.at(-1).result?.resultType, released]).toEqual([true, 'complete', 1]);
    const other = await open('somebody else');
    expect([other.done, endpoint.load.listens, released]).toEqual([false, 1, 1]);
  });

  it('hears what its own node is told apart from all others', async () => {
    const { client, endpoint } = setUp();
    expect(endpoint.listensTo('fixture')).toBe(false);
    const stream = client.modern('subscriptions/listen', tools);
    expect([endpoint.listensTo('fixture'), endpoint.listensTo('another')]).toEqual([true, false]);
    endpoint.tellListens('another', { kind: 'list', list: 'tools' });
    await turnOver();
    expect(stream.messages).toHaveLength(1);
    endpoint.tellListens('fixture', { kind: 'list', list: 'tools' });
    await turnOver();
    expect(stream.messages.at(-1)?.method).toBe('notifications/tools/list_changed');
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
