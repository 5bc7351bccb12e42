import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../create-endpoint.js';
import { MAX_SUBSCRIPTIONS } from '../dispatch/limits.js';
import { InMemoryChangeBus } from '../memory/change-bus.js';
import { InMemoryEventLog } from '../memory/event-log.js';
import { InMemoryNodeBus } from '../memory/node-bus.js';
import { InMemorySessionStore } from '../memory/session-store.js';
import type { ServerChange } from '../ports/change-bus.js';
import { LEGACY_REVISIONS } from '../protocol/revisions.js';
import { FakeClock } from '../testing/fake-clock.js';
import { fixtureResource, fixtureTemplate, fullSnapshot, reads } from '../testing/fixture-offers.js';
import { fixtureSnapshot, fixtureTool, text } from '../testing/fixture-server.js';
import type { RecordingResponder } from '../testing/recording-responder.js';
import { Network } from '../testing/remote-ports.js';
import { ScriptedClient } from '../testing/scripted-client.js';
import { turnOver } from '../testing/turn.js';

const README = 'docs://readme';
const updated = (uri: string): ServerChange => ({ kind: 'resource', uri });

/** Two nodes on one set of stores. */
function setUp(snapshot = fullSnapshot()) {
  const clock = new FakeClock();
  const network = new Network();
  const shared = {
    clock,
    sessionStore: network.remote(new InMemorySessionStore(clock)),
    eventLog: new InMemoryEventLog(clock),
    nodeBus: new InMemoryNodeBus(),
    changeBus: new InMemoryChangeBus(),
  };
  const [one, two] = ['one', 'two'].map((nodeId) => createMcpEndpoint({ ...shared, nodeId }));
  if (one === undefined || two === undefined) throw new Error('no nodes');
  const open = async (endpoint = one, host = {}, revision = '2025-11-25') => {
    const client = new ScriptedClient(endpoint, { snapshot, host });
    await client.open(revision);
    const stream = client.get();
    await stream.until(() => stream.streaming);
    return { client, stream };
  };
  const on = (endpoint: typeof one, { sessionId, revision, host }: ScriptedClient) => {
    const twin = new ScriptedClient(endpoint, { snapshot, host });
    twin.sessionId = sessionId;
    twin.revision = revision;
    return twin;
  };
  const changed = async (change: ServerChange, endpoint = one, server = 'fixture') => {
    await endpoint.changed(server, change, snapshot.settings);
    await turnOver();
  };
  return { one, two, clock, network, open, on, changed };
}

const answer = async (client: ScriptedClient, method: string, uri?: unknown) =>
  (await client.request(method, uri === undefined ? {} : { uri }).finished()).message;
const told = ({ messages }: RecordingResponder) => messages.map(({ params }) => params?.uri ?? params?.data);

describe.each([...LEGACY_REVISIONS])('subscriptions of a session of %s', (revision) => {
  it('are told while they last, each session its own, whatever node it is (seed D4, seed D5, seed P1, wire B27)', async () => {
    const { one, two, open, on, changed } = setUp();
    const subscriber = await open(one, {}, revision);
    const bystander = await open(one, { owner: 'else' }, revision);
    for (let time = 0; time < 2; time++) {
      expect((await answer(on(two, subscriber.client), 'resources/subscribe', README)).result).toEqual({});
    }
    await changed(updated(README), two);
    await changed(updated('docs://blob'), two);
    await changed(updated(README), two, 'other');
    expect(subscriber.stream.messages).toEqual([
      { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: README } },
    ]);
    expect(bystander.stream.messages).toEqual([]);
    for (let time = 0; time < 2; time++) {
      expect((await answer(subscriber.client, 'resources/unsubscribe', README)).result).toEqual({});
    }
    await changed(updated(README));
    expect(subscriber.stream.messages).toHaveLength(1);
  });
});

describe('subscriptions of sessions', () => {
  it('take whatever a template fits, and refuse what is not there (seed D4)', async () => {
    const { open, changed } = setUp();
    const { client, stream } = await open();
    expect((await answer(client, 'resources/subscribe', 'orders://7')).result).toEqual({});
    const missing = await answer(client, 'resources/subscribe', 'docs://nothing');
    expect([missing.error.code, missing.error.data]).toEqual([-32002, { uri: 'docs://nothing' }]);
    for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
      for (const uri of [undefined, 5, `docs://${'x'.repeat(3_000)}`]) {
        expect((await answer(client, method, uri)).error.code).toBe(-32602);
      }
    }
    expect((await answer(client, 'resources/unsubscribe', 'docs://nothing')).result).toEqual({});
    await changed(updated('orders://8'));
    await changed(updated('orders://7'));
    expect(told(stream)).toEqual(['orders://7']);
  });

  it('are as many as a session may have, and no more', async () => {
    const { open } = setUp();
    const { client } = await open();
    for (let at = 0; at < MAX_SUBSCRIPTIONS; at++) await answer(client, 'resources/subscribe', `orders://${at}`);
    const { error } = await answer(client, 'resources/subscribe', 'orders://more');
    expect([error.code, error.message]).toEqual([
      -32602,
      'This session has 1000 subscriptions, as many as it may have',
    ]);
    expect((await answer(client, 'resources/subscribe', 'orders://0')).result).toEqual({});
    await answer(client, 'resources/unsubscribe', 'orders://0');
    expect((await answer(client, 'resources/subscribe', 'orders://more')).result).toEqual({});
  });

  it('go with their session (seed D5)', async () => {
    const { open, changed, network } = setUp();
    const { client, stream } = await open();
    await answer(client, 'resources/subscribe', README);
    await client.delete().finished();
    const asked = network.asked('subscribers');
    await changed(updated(README));
    await asked;
    expect(stream.messages).toEqual([]);
  });

  it('are kept for replay while no stream is attached (RES-01)', async () => {
    const { one, two, open, on, changed } = setUp();
    const { client, stream } = await open(one);
    await answer(client, 'resources/subscribe', README);
    stream.disconnect();
    await changed(updated(README), two);
    const resumed = on(two, client).get({ 'last-event-id': stream.frames[0]?.id });
    await resumed.until(() => resumed.messages.length > 0);
    expect(told(resumed)).toEqual([README]);
  });

  it('are harmless where there are no sessions (seed D4)', async () => {
    const snapshot = fullSnapshot({ sessions: false });
    const client = new ScriptedClient(createMcpEndpoint(), { snapshot });
    for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
      expect((await answer(client, method, README)).result).toEqual({});
      expect((await answer(client, method)).error.code).toBe(-32602);
    }
  });

  it('answer -32603 when the store is away, and nothing of why', async () => {
    const { open, network } = setUp();
    const { client } = await open();
    network.away.add('subscribe');
    const { error } = await answer(client, 'resources/subscribe', README);
    expect(error.code).toBe(-32603);
    expect(error.message).not.toContain('redis');
  });
});

describe('changes that a run announces', () => {
  const announcing = () => {
    const shows = (_v: object, _c: object, { uri }: { uri: string }) => reads(uri, 'x');
    const tools = [
      fixtureTool('touch', (_args, context) => {
        for (let time = 0; time < 100; time++) {
          context.resourceUpdated(README);
          context.listChanged('tools');
          context.listChanged('prompts');
          context.listChanged('resources');
        }
        return text('done');
      }),
    ];
    const offers = {
      resources: [fixtureResource(README, shows)],
      resourceTemplates: [fixtureTemplate('x://{a}', shows)],
    };
    return fixtureSnapshot(tools, {}, offers);
  };

  it('are told once a burst, and only of what the server offers (UPS-04)', async () => {
    const { open } = setUp(announcing());
    const { client, stream } = await open();
    await answer(client, 'resources/subscribe', README);
    await client.call('touch').finished();
    await stream.until(() => stream.messages.length === 3);
    await turnOver();
    expect(stream.messages.map(({ method }) => method)).toEqual([
      'notifications/resources/updated',
      'notifications/tools/list_changed',
      'notifications/resources/list_changed',
    ]);
  });
});

describe('changes that a host announces', () => {
  it('reach every session as the list they are of (UPS-04, RES-01)', async () => {
    const { open, changed, two } = setUp();
    const { stream } = await open();
    for (const list of ['tools', 'prompts', 'resources'] as const) await changed({ kind: 'list', list }, two);
    expect(stream.messages).toEqual(
      ['tools', 'prompts', 'resources'].map((list) => ({
        jsonrpc: '2.0',
        method: `notifications/${list}/list_changed`,
      })),
    );
  });

  it('reach sessions as log messages from their level on (seed G2, wire B26)', async () => {
    const { open, changed, two } = setUp();
    const usual = await open();
    const quiet = await open(two, { owner: 'else' });
    await quiet.client.request('logging/setLevel', { level: 'error' }).finished();
    await changed({ kind: 'message', level: 'debug', data: 'unheard' });
    await changed({ kind: 'message', level: 'warning', logger: 'disk', data: { free: 0 } });
    await changed({ kind: 'message', level: 'error', data: 'down' }, two);
    expect(usual.stream.messages.map(({ params }) => params)).toEqual([
      { level: 'warning', logger: 'disk', data: { free: 0 } },
      { level: 'error', data: 'down' },
    ]);
    expect(told(quiet.stream)).toEqual(['down']);
  });
});
