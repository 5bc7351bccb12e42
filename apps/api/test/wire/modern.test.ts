import { describe, expect, it } from 'vitest';
import { seenAborted } from './backend.js';
import { LOG_LEVEL_KEY, ModernClient, SessionClient, SUBSCRIPTION_KEY, textOf } from './clients.js';
import { KINDS } from './documents.js';
import { ask, type Message, refusal } from './exchange.js';
import { useWorld } from './world.js';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const world = useWorld();
const client = () => new ModernClient(world.url, world.key);

describe('the envelope', () => {
  it('is refused when a required key is missing, with the id (wire C1)', async () => {
    for (const meta of [{ [VERSION]: undefined }, { [CAPABILITIES]: undefined }, { [CAPABILITIES]: 'all' }]) {
      const answer = await client().ask('tools/list', {}, { id: 'seven', meta });
      expect(await refusal(answer)).toEqual([400, -32602]);
      expect((await answer.result()).id).toBe('seven');
    }
    const bare = {
      headers: client().request('tools/list').headers,
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    };
    expect(await refusal(await ask(world.url, bare))).toEqual([400, -32602]);
  });

  it('needs no clientInfo (wire C1)', async () => {
    expect((await client().ask('tools/list')).status).toBe(200);
  });

  it('must be named by the version header too (wire C2, MOD-11)', async () => {
    for (const version of [undefined, '2025-11-25', ['2026-07-28', '2026-07-28']]) {
      const answer = await client().ask('tools/list', {}, { headers: { 'mcp-protocol-version': version } });
      expect([version, ...(await refusal(answer))]).toEqual([version, 400, -32020]);
    }
  });

  it('of a revision that is not served is told which ones are (wire C3, MOD-11)', async () => {
    const version = '2099-01-01';
    const more = { id: 'v', headers: { 'mcp-protocol-version': version }, meta: { [VERSION]: version } };
    const refused = await client().ask('tools/list', {}, more);
    const { id, error } = await refused.result();
    expect([refused.status, id, error.code, error.data.requested]).toEqual([400, 'v', -32022, version]);
    const { supportedVersions } = (await (await client().ask('server/discover')).result()).result;
    for (const supported of error.data.supported) expect(supportedVersions).toContain(supported);
    expect(error.data.supported.length).toBeGreaterThan(0);
  });
});

describe('mirrored headers', () => {
  const effects = () => world.backend.count('/effect');

  it('must name the method, letter case included (wire C4, MOD-01)', async () => {
    for (const method of [undefined, 'tools/list', 'Tools/Call', ['tools/call', 'tools/call']]) {
      const answer = await client().call('effect', {}, { headers: { 'mcp-method': method } });
      expect([method, ...(await refusal(answer))]).toEqual([method, 400, -32020]);
    }
    expect(effects()).toBe(0);
  });

  it('must name the tool, plainly or in base64 (wire C5, MOD-01, MOD-02)', async () => {
    const encoded = Buffer.from('effect').toString('base64');
    const bad = [
      undefined,
      'policy',
      'Effect',
      ['effect', 'effect'],
      `=?BASE64?${encoded}?=`,
      `=?base64?${encoded.slice(0, -1)}?=`,
      `=?base64?${encoded}`,
      '=?base64?/w==?=',
      '=?base64??=',
    ];
    for (const name of bad) {
      const answer = await client().call('effect', {}, { headers: { 'mcp-name': name } });
      expect([name, ...(await refusal(answer))]).toEqual([name, 400, -32020]);
    }
    expect(effects()).toBe(0);
    const good = await client().call('effect', {}, { headers: { 'mcp-name': `=?base64?${encoded}?=` } });
    expect([good.status, (await good.result()).result.isError ?? false]).toEqual([200, false]);
    expect(effects()).toBe(1);
  });

  it('are found under names of any case and with padding (wire C4)', async () => {
    const headers = {
      'mcp-method': undefined,
      'mcp-name': undefined,
      'MCP-METHOD': '  tools/call\t',
      'mCp-NaMe': ' policy ',
    };
    const answer = await client().call('policy', { team: 'ops' }, { headers });
    expect([answer.status, textOf(await answer.result())]).toEqual([200, 'Rules of ops.']);
  });

  it('must agree with the arguments they mirror (wire C6, MOD-12)', async () => {
    const table: [object, Record<string, string>, number][] = [
      [{ region: 'eu' }, { 'mcp-param-region': 'eu' }, 200],
      [{ region: 'ü' }, { 'mcp-param-region': '=?base64?w7w=?=' }, 200],
      [{ limit: 42 }, { 'mcp-param-limit': '42.0' }, 200],
      [{}, { 'mcp-param-other': 'x' }, 200],
      [{ region: 'eu' }, {}, 400],
      [{ region: 'eu' }, { 'mcp-param-region': 'us' }, 400],
      [{ region: 'eu' }, { 'mcp-param-region': '=?base64?!?=' }, 400],
      [{ limit: 42 }, { 'mcp-param-limit': '43' }, 400],
      [{}, { 'mcp-param-region': 'eu' }, 400],
    ];
    for (const [args, headers, status] of table) {
      const answer = await client().call('regional', args, { headers });
      expect([args, headers, answer.status]).toEqual([args, headers, status]);
      if (status === 400) expect(await refusal(answer)).toEqual([400, -32020]);
    }
  });
});

describe('methods and messages', () => {
  it('of other revisions are unknown, with the id (wire C7)', async () => {
    const gone = ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'];
    for (const method of [...gone, 'tasks/result', 'tasks/list', 'tasks/get', 'prompts/list', 'nope', '__proto__']) {
      const answer = await client().ask(method, {}, { id: 'm' });
      expect([method, ...(await refusal(answer)), (await answer.result()).id]).toEqual([method, 404, -32601, 'm']);
    }
  });

  it('know no GET and DELETE, and no session (wire C8, HTTP-01)', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { headers } = client().request('tools/list');
      const answer = await ask(world.url, { method, headers: { ...headers, 'content-type': 'text/plain' } });
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    }
    const more = { headers: { 'mcp-session-id': 'made-up', 'last-event-id': 'x.1' } };
    const answer = await client().ask('tools/list', {}, more);
    expect([answer.status, answer.headers['mcp-session-id']]).toEqual([200, undefined]);
  });

  it('come one by one, and as requests or notifications only (wire C9, RPC-06)', async () => {
    const { headers } = client().request('tools/list');
    const call = JSON.parse(client().request('tools/call', { name: 'effect', arguments: {} }).body as string);
    const before = world.backend.count('/effect');
    for (const body of [[], [call], [call, call], { jsonrpc: '2.0', id: 1, result: {} }]) {
      const answer = await ask(world.url, { headers, body: JSON.stringify(body) });
      expect(await refusal(answer)).toEqual([400, -32600]);
    }
    expect(world.backend.count('/effect')).toBe(before);
    const told = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const answer = await ask(world.url, { headers, body: JSON.stringify(told) });
    expect([answer.status, await answer.body()]).toEqual([202, '']);
  });

  it('keep the id with its type (RPC-01)', async () => {
    for (const id of ['1', 1, 0, '', 'a/b', -5, Number.MAX_SAFE_INTEGER]) {
      expect((await (await client().call('policy', { team: 'x' }, { id })).result()).id).toBe(id);
    }
  });
});

describe('answers', () => {
  it('stream without ids, with nothing but notifications before the result (wire C10)', async () => {
    const answer = await client().call('steps', { n: 5 }, { id: 4, meta: { progressToken: 'p' } });
    await answer.ended();
    expect(answer.streaming).toBe(true);
    expect([answer.headers['cache-control'], answer.headers['x-accel-buffering']]).toEqual([
      'no-cache, no-transform',
      'no',
    ]);
    expect(answer.frames.all.every(({ id, retry }) => id === undefined && retry === undefined)).toBe(true);
    const steps = answer.messages.slice(0, -1);
    expect(steps.map(({ params }) => params)).toEqual(
      [1, 2, 3, 4, 5].map((i) => ({ progressToken: 'p', progress: i, total: 5, message: `step ${i}` })),
    );
    expect(steps.every((message) => message.id === undefined)).toBe(true);
    expect(answer.messages.at(-1)).toMatchObject({ id: 4, result: { resultType: 'complete' } });
  });

  it('carry progress only with a token, of the type it was sent (PRG-02, PRG-03)', async () => {
    for (const progressToken of [0, '0', 7, '7', 7]) {
      const answer = await client().call('steps', { n: 2 }, { meta: { progressToken } });
      await answer.ended();
      expect(answer.messages.slice(0, -1).map(({ params }) => params.progressToken)).toEqual([
        progressToken,
        progressToken,
      ]);
    }
    const silent = await client().call('steps', { n: 2 });
    expect([silent.streaming, textOf(await silent.result())]).toEqual([false, 'stepped']);
  });

  it('to malformed tokens are refusals, and the tool does not run (PRG-06)', async () => {
    const before = world.backend.count('/effect');
    for (const progressToken of [{}, [], true, null, 0.5]) {
      const answer = await client().call('effect', {}, { meta: { progressToken } });
      expect([progressToken, ...(await refusal(answer))]).toEqual([progressToken, 400, -32602]);
    }
    expect(world.backend.count('/effect')).toBe(before);
  });

  it('do not mix when clients choose the same id (wire C11)', async () => {
    const texts = Array.from({ length: 20 }, (_, i) => `team ${i}`);
    const answers = await Promise.all(texts.map((team) => client().call('policy', { team }, { id: 1 })));
    const messages = await Promise.all(answers.map((answer) => answer.result()));
    expect(messages.map(textOf)).toEqual(texts.map((team) => `Rules of ${team}.`));
    expect(messages.every(({ id }) => id === 1)).toBe(true);
  });

  it('hold log messages only at and above the level asked for, and never of an earlier request (wire C12, wire C24)', async () => {
    const said = async (level?: string) => {
      const answer = await client().call('talk', {}, { meta: level ? { [LOG_LEVEL_KEY]: level } : {} });
      await answer.result();
      return answer.messages
        .filter(({ method }) => method === 'notifications/message')
        .map(({ params }) => params.level);
    };
    expect(await said('debug')).toEqual(['debug', 'info', 'error']);
    expect(await said()).toEqual([]);
    expect(await said('warning')).toEqual(['error']);
  });

  it('name their type and the server (wire C20)', async () => {
    for (const method of ['server/discover', 'tools/list']) {
      const { result } = await (await client().ask(method)).result();
      expect(result.resultType).toBe('complete');
      expect(result._meta['io.modelcontextprotocol/serverInfo']).toMatchObject({ name: 'Kinds', version: '2.1.0' });
    }
  });

  it('of discover agree with what is served (wire C21)', async () => {
    const { result } = await (await client().ask('server/discover')).result();
    expect(result).toMatchObject({ instructions: 'Try each.', capabilities: { tools: { listChanged: true } } });
    expect(result.supportedVersions).toContain('2026-07-28');
    for (const [capability, method] of [
      ['prompts', 'prompts/list'],
      ['resources', 'resources/list'],
    ] as const) {
      const answered = (await client().ask(method)).status === 200;
      expect([capability, answered]).toEqual([capability, capability in result.capabilities]);
    }
  });

  it('of lists and discover say how long they may be kept, and for whom (wire C22)', async () => {
    for (const method of ['server/discover', 'tools/list']) {
      const { result } = await (await client().ask(method)).result();
      expect(Number.isInteger(result.ttlMs) && result.ttlMs >= 0).toBe(true);
      expect(['public', 'private']).toContain(result.cacheScope);
    }
  });

  it('of lists are the same on every connection, in the order of the document (wire C23)', async () => {
    const lists = await Promise.all(
      [1, 2, 3].map(async () => (await (await client().ask('tools/list')).result()).result),
    );
    expect(lists[0].tools.map(({ name }: Message) => name)).toEqual(KINDS);
    expect(lists[1]).toEqual(lists[0]);
    expect(lists[2]).toEqual(lists[0]);
  });

  it('are of no interest to a client that left: the work stops (wire C26, CAN-03)', async () => {
    for (const tool of ['held_http', 'held_code']) {
      const at = `gone-${tool}`;
      const sent = client().start(tool, { at });
      const seen = await world.backend.arrived(`/held/${at}`);
      sent.destroy();
      await seenAborted(seen);
    }
  });

  it('come to a legacy client of the same endpoint meanwhile (MOD-04)', async () => {
    const legacy = await new SessionClient(world.url, world.key).open();
    expect((await client().ask('tools/list', {}, { headers: { 'mcp-session-id': legacy.sessionId } })).status).toBe(
      200,
    );
    expect(textOf(await (await legacy.call('policy', { team: 'b' })).result())).toBe('Rules of b.');
  });
});

describe('subscriptions/listen', () => {
  it('acknowledges first, honours a subset, and keeps the type of its id (wire C30, MOD-06)', async () => {
    const streams = await Promise.all(
      [1, '1', 'x'].map(async (id) => {
        const wanted = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['a://b'] };
        const answer = await client().ask('subscriptions/listen', { notifications: wanted }, { id });
        await answer.notified('notifications/subscriptions/acknowledged');
        return { id, answer };
      }),
    );
    for (const { id, answer } of streams) {
      expect(answer.messages[0]).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: { toolsListChanged: true }, _meta: { [SUBSCRIPTION_KEY]: id } },
      });
      answer.destroy();
    }
  });

  it('needs its filter, and a client that takes streams', async () => {
    expect(await refusal(await client().ask('subscriptions/listen', {}))).toEqual([200, -32602]);
    const json = { headers: { accept: 'application/json' } };
    expect((await client().ask('subscriptions/listen', { notifications: {} }, json)).status).toBe(406);
  });

  it('brings what was asked for, to each stream apart, and to no other server (wire C31, wire C32)', async () => {
    await world.gantry.server('acme', 'edited', { name: 'Edited' });
    await world.gantry.tenant('other');
    await world.gantry.server('other', 'edited', { name: 'Edited' });
    const edited = new ModernClient(world.gantry.mcpUrl('acme', 'edited'), world.key);
    const foreign = new ModernClient(world.gantry.mcpUrl('other', 'edited'), (await world.gantry.key('other')).key);
    const [asked, alsoAsked, notAsked, elsewhere, abroad] = await Promise.all([
      edited.listen(undefined, { id: 'a' }),
      edited.listen(undefined, { id: 'b' }),
      edited.listen({ promptsListChanged: true }),
      client().listen(),
      foreign.listen(),
    ]);
    const tool = { name: 'one', description: 'one', inputSchema: { type: 'object' }, template: { text: '1' } };
    await world.gantry.admin('POST', '/tenants/acme/servers/edited/tools', tool);
    for (const [stream, id] of [
      [asked, 'a'],
      [alsoAsked, 'b'],
    ] as const) {
      const { message } = await stream.notified('notifications/tools/list_changed');
      expect(message.params._meta).toEqual({ [SUBSCRIPTION_KEY]: id });
    }
    expect(textOf(await (await edited.call('one')).result())).toBe('1');
    // A later change of its own proves that each of the others is alive and has missed nothing meant for it.
    await world.gantry.admin('POST', '/tenants/other/servers/edited/tools', tool);
    await abroad.notified('notifications/tools/list_changed');
    expect(abroad.messages).toHaveLength(2);
    expect([notAsked.messages.length, elsewhere.messages.length]).toEqual([1, 1]);
    for (const stream of [asked, alsoAsked, notAsked, elsewhere, abroad]) stream.destroy();
  });

  it('ends with its result when the server goes (wire C33)', async () => {
    await world.gantry.server('acme', 'leaving', { name: 'Leaving' });
    const leaving = new ModernClient(world.gantry.mcpUrl('acme', 'leaving'), world.key);
    const stream = await leaving.listen(undefined, { id: 31 });
    await world.gantry.admin('DELETE', '/tenants/acme/servers/leaving');
    await stream.ended();
    expect(stream.messages.at(-1)).toMatchObject({
      id: 31,
      result: { resultType: 'complete', _meta: { [SUBSCRIPTION_KEY]: 31 } },
    });
  });
});
