import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { startGantry } from '../harness/process.js';
import { seenAborted } from './backend.js';
import { bearer, JSON_POST, LATEST_LEGACY, ModernClient, SessionClient, textOf } from './clients.js';
import { within } from './deadline.js';
import { code } from './documents.js';
import { type Answer, ask, refusal } from './exchange.js';
import { useWorld } from './world.js';

const world = useWorld();
const open = (revision?: string) => new SessionClient(world.url, world.key, revision).open();

/** The other's session, as seen by this client. */
function borrowing(client: SessionClient, sessionId: string): SessionClient {
  client.sessionId = sessionId;
  return client;
}

/** What every verb answers in a session: status and body. */
async function everyVerb(client: SessionClient): Promise<[number, string][]> {
  const answers = [await client.ask('ping', {}, { id: 1 }), await client.get(), await client.delete()];
  return Promise.all(answers.map(async (answer): Promise<[number, string]> => [answer.status, await answer.body()]));
}

describe('the life of a session', () => {
  it('begins with an id nobody guesses (wire B1)', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await open()).sessionId));
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{22,}$/);
  });

  it('agrees on the revision asked for, or offers the newest with sessions (wire B20)', async () => {
    const agreed = async (revision: string) => {
      const answer = await new SessionClient(world.url, world.key, revision).initialize();
      return (await answer.result()).result.protocolVersion;
    };
    expect(await agreed('2025-06-18')).toBe('2025-06-18');
    expect(await agreed('2025-11-25')).toBe('2025-11-25');
    for (const other of ['2031-01-01', '2026-07-28', 'latest']) expect(await agreed(other)).toBe(LATEST_LEGACY);
  });

  it('judges the version header after initialize only (HTTP-07, wire B8)', async () => {
    const session = new SessionClient(world.url, world.key, '2031-01-01');
    const opened = await session.initialize({ 'mcp-protocol-version': '2024-01-01' });
    expect([opened.status, (await opened.result()).result.protocolVersion]).toEqual([200, LATEST_LEGACY]);
    session.sessionId = opened.headers['mcp-session-id'] as string;
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    for (const version of ['2024-01-01', 'nonsense', '']) {
      const answer = await session.post(ping, { 'mcp-protocol-version': version });
      expect([version, ...(await refusal(answer))]).toEqual([version, 400, -32600]);
    }
    const served = await session.post(ping, { 'mcp-protocol-version': undefined });
    expect([served.status, (await served.result()).result]).toEqual([200, {}]);
  });

  it('needs its id, and knows no other: 404, 404, 404, 400 (SES-02, wire B2)', async () => {
    const unknown = borrowing(new SessionClient(world.url, world.key), '3f0c-unknown');
    const answers = await everyVerb(unknown);
    expect(answers.map(([status]) => status)).toEqual([404, 404, 404]);
    for (const [, body] of answers) expect(JSON.parse(body).error.code).toEqual(expect.any(Number));
    const missing = new SessionClient(world.url, world.key);
    expect(await refusal(await missing.ask('tools/list'))).toEqual([400, -32600]);
    expect((await missing.get()).status).toBe(400);
    expect((await missing.delete()).status).toBe(400);
  });

  it('ends with DELETE: streams close, work stops, and it is 404 (wire B3, seed Q4)', async () => {
    const session = await open();
    const stream = await session.get();
    const call = session.start('held_http', { at: 'b3' });
    const held = await world.backend.arrived('/held/b3');
    expect((await session.delete()).status).toBe(204);
    await stream.ended();
    await seenAborted(held);
    await (await call.answer).body();
    expect((await everyVerb(session)).map(([status]) => status)).toEqual([404, 404, 404]);
  });

  it('starts over from a dead id (SES-08)', async () => {
    const session = await open();
    const dead = session.sessionId;
    await session.delete();
    const again = await session.initialize();
    expect(again.status).toBe(200);
    expect(again.headers['mcp-session-id']).not.toBe(dead);
  });

  it('is unknown to every other principal, and untouched by what they try (TEN-01, wire B2)', async () => {
    const session = await open();
    const random = await everyVerb(borrowing(new SessionClient(world.url, world.key), randomUUID()));
    const colleague = new SessionClient(world.url, (await world.gantry.key('acme')).key);
    expect(await everyVerb(borrowing(colleague, session.sessionId))).toEqual(random);
    await world.gantry.tenant('beta');
    await world.gantry.server('beta', 'kinds', { name: 'theirs' });
    const beta = await world.gantry.key('beta');
    const abroad = new SessionClient(world.gantry.mcpUrl('beta', 'kinds'), beta.key);
    expect(await everyVerb(borrowing(abroad, session.sessionId))).toEqual(random);
    await world.gantry.server('acme', 'sibling', { name: 'sibling' });
    const sibling = new SessionClient(world.gantry.mcpUrl('acme', 'sibling'), world.key);
    expect(await everyVerb(borrowing(sibling, session.sessionId))).toEqual(random);
    expect((await session.ask('ping')).status).toBe(200);
  });

  it('is no credential: every verb needs the key (wire S4, seed L3)', async () => {
    const session = await open();
    for (const method of ['POST', 'GET', 'DELETE']) {
      const headers = { ...session.headers, authorization: undefined };
      expect((await ask(world.url, { method, headers })).status).toBe(401);
    }
    expect((await session.ask('ping')).status).toBe(200);
  });

  it('cannot be opened twice, or on a server that has none', async () => {
    const session = await open();
    expect(await refusal(await session.initialize())).toEqual([400, -32600]);
    await world.gantry.server('acme', 'stateless', { name: 'stateless', settings: { sessions: false } });
    const none = new SessionClient(world.gantry.mcpUrl('acme', 'stateless'), world.key);
    const opened = await none.initialize();
    expect([opened.status, opened.headers['mcp-session-id']]).toEqual([200, undefined]);
    expect([(await none.get()).status, (await none.delete()).status]).toEqual([405, 405]);
    await world.gantry.server('acme', 'modern', { name: 'modern', settings: { legacy: false } });
    const modern = new SessionClient(world.gantry.mcpUrl('acme', 'modern'), world.key);
    expect(await refusal(await modern.initialize())).toEqual([400, -32022]);
    expect([(await modern.get()).status, (await modern.delete()).status]).toEqual([405, 405]);
  });

  it('is counted: one more than the tenant may have is 429, until one ends', async () => {
    await world.gantry.tenant('few', { sessions: 2 });
    await world.gantry.server('few', 'one', { name: 'one' });
    const { key } = await world.gantry.key('few');
    const url = world.gantry.mcpUrl('few', 'one');
    const [first] = [await new SessionClient(url, key).open(), await new SessionClient(url, key).open()];
    const third = await new SessionClient(url, key).initialize();
    expect([third.status, third.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    await first?.delete();
    await vi.waitFor(async () => expect((await new SessionClient(url, key).initialize()).status).toBe(200), {
      timeout: 5_000,
      interval: 50,
    });
  });
});

describe('messages of a session', () => {
  it('that need no answer get none (wire B4)', async () => {
    const session = await open();
    const told = [
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'unknown' } },
      { jsonrpc: '2.0', method: 'notifications/unheard-of' },
      { jsonrpc: '2.0', id: 'n1', result: {} },
      { jsonrpc: '2.0', id: 'n2', error: { code: -1, message: 'no' } },
    ];
    for (const message of told) {
      const answer = await session.post(message);
      expect([answer.status, await answer.body()]).toEqual([202, '']);
    }
  });

  it('come one by one (wire B9, RPC-06)', async () => {
    const session = await open();
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'effect', arguments: {} } };
    for (const body of [[], [call], [call, { jsonrpc: '2.0', method: 'notifications/initialized' }]]) {
      expect(await refusal(await session.post(body))).toEqual([400, -32600]);
    }
    expect(world.backend.count('/effect')).toBe(0);
  });

  it('of methods and tools that are not there are errors in band (wire B22, wire B29)', async () => {
    const session = await open();
    for (const [method, params, status] of [
      ['nope', {}, -32601],
      ['prompts/list', {}, -32601],
      ['server/discover', {}, -32601],
      ['tools/call', { name: 'nope' }, -32602],
      ['tools/call', { name: 'policy', arguments: [] }, -32602],
      ['tools/list', { cursor: 'zzz' }, -32602],
      ['logging/setLevel', { level: 'loud' }, -32602],
    ] as const) {
      expect([method, ...(await refusal(await session.ask(method, params)))]).toEqual([method, 200, status]);
    }
  });

  it('with bad arguments fail in the way of the revision (wire B29)', async () => {
    const now = await (await (await open('2025-11-25')).call('policy', {})).result();
    expect([now.result.isError, textOf(now)]).toEqual([true, expect.stringContaining('team')]);
    const then = await (await (await open('2025-06-18')).call('policy', {})).result();
    expect([then.error.code, then.error.message]).toEqual([-32602, expect.stringContaining('team')]);
  });

  it('that are cancelled get no answer, and their work stops (wire B24)', async () => {
    const session = await open();
    const call = session.start('slow_charge', { at: 'b24' }, { id: 'stop-me', meta: { progressToken: 1 } });
    const answer = await call.answer;
    const held = await world.backend.arrived('/held/b24');
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'stop-me' } };
    expect((await session.post(cancelled)).status).toBe(202);
    await seenAborted(held);
    await answer.ended();
    expect(answer.messages.filter((message) => message.method === undefined)).toEqual([]);
    expect(world.backend.count('/charge/b24')).toBe(0);
  });

  it('take turns with a stateful tool, and miss no count', async () => {
    const session = await open();
    const answers = await Promise.all(Array.from({ length: 12 }, () => session.call('counter')));
    const counts = await Promise.all(answers.map(async (answer) => Number(textOf(await answer.result()))));
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    expect(textOf(await (await (await open()).call('counter')).result())).toBe('1');
  });

  it('hold no field newer than the revision', async () => {
    const answer = await (await open('2025-06-18')).ask('tools/list');
    const { result } = await answer.result();
    expect(result).not.toHaveProperty('resultType');
    expect(result).not.toHaveProperty('ttlMs');
    expect(result.tools[0]).not.toHaveProperty('execution');
  });
});

describe('streams of a session', () => {
  it('begin with an empty event in 2025-11-25 only, and every event has an id of its own (wire B10, RES-06)', async () => {
    const seen = new Set<string>();
    for (const revision of ['2025-06-18', '2025-11-25']) {
      const session = await open(revision);
      const answers = [
        await session.call('steps', { n: 2 }, { meta: { progressToken: 'a' } }),
        await session.call('steps', { n: 2 }, { meta: { progressToken: 'b' } }),
      ];
      for (const answer of answers) {
        await answer.ended();
        const [first] = answer.frames.all;
        if (revision === '2025-11-25') expect([first?.data, first?.id]).toEqual(['', expect.any(String)]);
        else expect(first?.message).toBeDefined();
        const ids = answer.frames.all.map(({ id }) => id as string);
        expect(ids.every((id) => id !== undefined && !seen.has(`${session.sessionId} ${id}`))).toBe(true);
        for (const id of ids) seen.add(`${session.sessionId} ${id}`);
      }
      const standalone = await session.get();
      if (revision === '2025-11-25') await standalone.frames.first('the first event', ({ data }) => data === '');
      else expect(standalone.frames.all).toEqual([]);
      standalone.destroy();
    }
  });

  it('survive a client that leaves: the effect happens once, and the rest is there to resume (CAN-02, wire B14, RES-04)', async () => {
    const session = await open();
    const call = session.start('slow_charge', { at: 'can-02' }, { id: 'c', meta: { progressToken: 'p' } });
    const answer = await call.answer;
    const { id } = await answer.notified('notifications/progress');
    const held = await world.backend.arrived('/held/can-02');
    answer.destroy();
    held.answer('go on');
    await world.backend.arrived('/charge/can-02');
    const resumed = await session.get(id);
    await resumed.ended();
    const messages = resumed.messages.map(({ params, result }) => params?.progress ?? result.content[0].text);
    expect(messages).toEqual([2, 3, 'charged']);
    expect(resumed.messages.at(-1).id).toBe('c');
    expect(world.backend.count('/charge/can-02')).toBe(1);
  });

  it('replay their own events only, from the place asked for (wire B11, RES-02)', async () => {
    const session = await open();
    const x = await session.call('steps', { n: 5 }, { id: 'x', meta: { progressToken: 'x' } });
    const y = await session.call('steps', { n: 5 }, { id: 'y', meta: { progressToken: 'y' } });
    await Promise.all([x.ended(), y.ended()]);
    const second = x.frames.all.find(({ message }) => message?.params?.progress === 2);
    const resumed = await session.get(second?.id);
    await resumed.ended();
    const again = resumed.frames.all.filter(({ message }) => message !== undefined);
    const rest = x.frames.all.slice(x.frames.all.indexOf(second as never) + 1);
    expect(again).toEqual(rest);
    expect(again.at(-1)?.message.id).toBe('x');
  });

  it('of other sessions cannot be resumed (wire B12)', async () => {
    const [mine, theirs] = [await open(), await open()];
    const answer = await theirs.call('steps', { n: 3 }, { meta: { progressToken: 1 } });
    await answer.ended();
    const place = answer.frames.all.find(({ id }) => id !== undefined)?.id;
    for (const id of [place, 'garbage', '', 'x.1', '../../etc', `${'9'.repeat(400)}.1`]) {
      expect([id?.slice(0, 20), (await mine.get(id)).status]).toEqual([id?.slice(0, 20), 400]);
    }
  });

  it('never answer on the standalone one (wire B6, wire B7, PRG-01)', async () => {
    const session = await open();
    const standalone = await session.get();
    const answer = await session.call('steps', { n: 5 }, { meta: { progressToken: 1 } });
    await answer.ended();
    expect(answer.messages).toHaveLength(6);
    standalone.destroy();
    expect(standalone.messages).toEqual([]);
  });

  it('are taken over by a second GET', async () => {
    await world.gantry.server('acme', 'taken', { name: 'taken' });
    const session = await new SessionClient(world.gantry.mcpUrl('acme', 'taken'), world.key).open();
    const first = await session.get();
    const second = await session.get();
    await first.ended();
    await world.gantry.admin('POST', '/tenants/acme/servers/taken/tools', code('new', 'return 1;'));
    await second.notified('notifications/tools/list_changed');
    expect(first.messages).toEqual([]);
    second.destroy();
  });

  it('carry no progress without a token, and tokens of any type with theirs (PRG-02, PRG-03, wire B25)', async () => {
    const session = await open();
    for (const progressToken of [0, '0', 7, '7', '']) {
      const answer = await session.call('steps', { n: 2 }, { meta: { progressToken } });
      await answer.ended();
      const tokens = answer.messages.flatMap(({ params }) => (params === undefined ? [] : [params.progressToken]));
      expect(tokens).toEqual([progressToken, progressToken]);
    }
    expect((await session.call('steps', { n: 2 })).streaming).toBe(false);
  });

  it('hold log messages from the level of the session up (wire B26)', async () => {
    const session = await open();
    const levels = async () => {
      const answer = await session.call('talk');
      await answer.result();
      return answer.messages
        .filter(({ method }) => method === 'notifications/message')
        .map(({ params }) => params.level);
    };
    expect(await (await session.ask('logging/setLevel', { level: 'error' })).result()).toMatchObject({ result: {} });
    expect(await levels()).toEqual(['error']);
    await (await session.ask('logging/setLevel', { level: 'debug' })).result();
    expect(await levels()).toEqual(['debug', 'info', 'error']);
  });

  it('are kept alive by comments, each kind of them (SSE-01)', async () => {
    await world.gantry.server('acme', 'lively', {
      name: 'lively',
      settings: { keepAliveMs: 30 },
      tools: [
        code(
          'wait',
          `ctx.progress(1); await (await ctx.fetch("${world.backend.url}/held/lively-" + args.era)).text(); return "done";`,
        ),
      ],
    });
    const url = world.gantry.mcpUrl('acme', 'lively');
    const session = await new SessionClient(url, world.key).open();
    const modern = new ModernClient(url, world.key);
    const streams: Answer[] = [
      await session.get(),
      await modern.listen(),
      await session.call('wait', { era: 'legacy' }, { meta: { progressToken: 1 } }),
      await modern.call('wait', { era: 'modern' }, { meta: { progressToken: 1 } }),
    ];
    for (const stream of streams) {
      await stream.frames.first('a comment', ({ comment }) => comment !== undefined);
      const comments = stream.frames.all.filter(({ comment }) => comment !== undefined);
      expect(comments.every(({ id, data }) => id === undefined && data === undefined)).toBe(true);
      stream.destroy();
    }
  });
});

describe('a process that stops', () => {
  it('tells its streams, and ends by itself (SSE-06, wire C33)', async () => {
    const gantry = await startGantry();
    await gantry.tenant('acme');
    await gantry.server('acme', 'one', { name: 'one' });
    const { key } = await gantry.key('acme');
    const url = gantry.mcpUrl('acme', 'one');
    const session = await new SessionClient(url, key).open();
    const stream = await session.get();
    const listen = await new ModernClient(url, key).listen(undefined, { id: 'bye' });
    const stopped = within('the end of the process', gantry.stop(), 11_000);
    await Promise.all([stream.ended(), listen.ended()]);
    expect(listen.messages.at(-1)).toMatchObject({ id: 'bye', result: { resultType: 'complete' } });
    await stopped;
    await expect(ask(url, { headers: { ...JSON_POST, ...bearer(key) }, body: '{}' })).rejects.toThrow();
  });
});
