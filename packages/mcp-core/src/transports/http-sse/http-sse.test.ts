import { describe, expect, it } from 'vitest';
import type { CallRecord } from '../../dispatch/host.js';
import type { SessionKey } from '../../ports/session-store.js';
import type { TracedMessage } from '../../ports/session-tracer.js';
import { LEGACY_REVISIONS } from '../../protocol/revisions.js';
import { twoNodes } from '../../testing/http-sse-nodes.js';
import type { Json } from '../../testing/json.js';
import { sessionsOf } from '../../testing/list-sessions.js';
import { ScriptedClient } from '../../testing/scripted-client.js';
import { turnOver } from '../../testing/turn.js';

const ping = { jsonrpc: '2.0', id: 'p', method: 'ping' };
const notified = (messages: Json[], method: string) => messages.filter((message) => message.method === method);

describe.each([
  ['in memory', false],
  ['behind a network', true],
])('HTTP+SSE with stores %s', (_where, remote) => {
  it('begins with the address to post to, and nothing has an id (wire A1, SSE-03)', async () => {
    const { a, client } = twoNodes(remote);
    const old = client();
    const stream = await old.connect(a);
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(stream.frames).toEqual([{ event: 'endpoint', data: `/mcp/t/s/messages?sessionId=${old.sessionId}` }]);
    expect(old.sessionId).toMatch(/^[\x21-\x7e]{22,}$/);
    await old.open(a);
    await old.call('progress', {}, { progressToken: 0 });
    for (const { event, id } of old.stream.frames.slice(1)) expect([event, id]).toEqual(['message', undefined]);
  });

  it('answers a POST with 202 and on the stream alone, whichever node takes it (wire A2, wire A5, SES-06)', async () => {
    const { a, b, client } = twoNodes(remote);
    const old = client();
    await old.connect(a);
    const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    const sent = [await old.send('initialize', params, b)];
    await old.answer(sent[0] as number);
    const posts = Array.from({ length: 100 }, () => old.send('tools/list', {}, b));
    sent.push(...(await Promise.all(posts)));
    await Promise.all(sent.map((id) => old.answer(id)));
    await turnOver();
    const answered = old.stream.messages.filter(({ result }) => result !== undefined).map(({ id }) => id);
    expect(answered.sort((x, y) => x - y)).toEqual(sent);
  });

  it('negotiates as elsewhere, and 2024-11-05 carries nothing newer (wire A6, wire B20)', async () => {
    const { a, client } = twoNodes(remote);
    for (const [asked, agreed] of [
      ...LEGACY_REVISIONS.map((revision) => [revision, revision] as const),
      ['2026-07-28', '2025-11-25'] as const,
    ]) {
      const old = client();
      expect((await old.open(a, asked)).protocolVersion).toBe(agreed);
      await old.call('progress', { steps: 1 }, { progressToken: 't' });
      const [{ params }] = notified(old.stream.messages, 'notifications/progress');
      const words = agreed === '2024-11-05' ? {} : { message: 'step 1' };
      expect(params).toEqual({ progressToken: 't', progress: 1, total: 1, ...words });
      const { tools } = (await old.request('tools/list')).result;
      const newer = ['annotations', 'title', 'outputSchema', 'icons', '_meta'].filter((name) => name in tools[0]);
      expect(newer.length > 0).toBe(!['2024-11-05', '2025-03-26'].includes(agreed));
      // No event begins with an id and no data, also where streams of the endpoint would.
      expect(old.stream.frames.filter(({ data }) => !data)).toEqual([]);
    }
  });

  it('shows progress in order, all of it before the answer (wire B25)', async () => {
    const { a, client } = twoNodes(remote);
    const old = client();
    await old.open(a);
    const { id } = await old.call('progress', { steps: 100 }, { progressToken: 0 });
    const said = old.stream.messages.slice(1);
    expect(said.map(({ params }) => params?.progress)).toEqual([
      ...Array.from({ length: 100 }, (_, i) => i + 1),
      undefined,
    ]);
    expect(said.at(-1)).toMatchObject({ id, result: {} });
  });

  it('refuses what is no message of the session, in words (wire A3)', async () => {
    const { a, b, client } = twoNodes(remote);
    const old = client();
    await old.open(a);
    const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' });
    const foreign = client({ owner: 'else' });
    const refusals = [
      [old.post('{"jsonrpc"'), 400, -32700],
      [old.post({ jsonrpc: '2.0' }), 400, -32600],
      [old.post([list(8), list(9)]), 400, -32600],
      [old.post(list(8), { sessionId: null }), 400, -32600],
      [old.post(list(8), { sessionId: 'nobody' }), 404, -32600],
      [old.post(list(8), { host: foreign.host }), 404, -32600],
      [old.post(list(8), { headers: { 'mcp-protocol-version': '1999-01-01' } }), 400, -32600],
      [old.post(list(8), { headers: { 'content-type': 'text/plain' } }), 415, -32600],
      [old.post({ ...list(8), method: 'initialize' }), 400, -32600],
    ] as const;
    for (const [answer, status, code] of refusals) {
      await answer.finished();
      expect([answer.status, answer.message?.error.code]).toEqual([status, code]);
    }
    // A foreign session answers letter by letter as one that never was.
    expect(refusals[5][0].body).toBe(refusals[4][0].body);
    expect(refusals[1][0].streaming).toBe(false);
    expect(old.stream.messages).toHaveLength(1);
    const next = client();
    await next.connect(a);
    const early = await next.post(list(1), { node: b }).finished();
    expect([early.status, early.message.error.message]).toEqual([
      400,
      'Invalid request: this session is not initialized; begin with initialize',
    ]);
    expect(await next.request('ping')).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('takes notifications and answers to nothing, and cancels a call of another node (wire A2, wire B4, wire B24)', async () => {
    const { a, b, gate, client } = twoNodes(remote);
    const old = client();
    await old.open(a);
    await old.notify('notifications/whatever', {}, a);
    expect((await old.post({ jsonrpc: '2.0', id: 'x', result: {} }).finished()).status).toBe(202);
    const blocked = await old.send('tools/call', { name: 'block' }, b);
    await gate.entered();
    await old.notify('notifications/cancelled', { requestId: blocked }, a);
    expect(gate.signals[0]?.aborted).toBe(true);
    gate.open();
    await old.request('ping');
    expect(old.stream.messages.filter(({ id }) => id === blocked)).toEqual([]);
  });

  it('asks on the stream what the client declared, and takes the answer on any node (wire B28)', async () => {
    const { a, b, client } = twoNodes(remote);
    const old = client();
    await old.open(a, '2024-11-05', { sampling: {}, roots: {} });
    const asking = await old.send('tools/call', { name: 'ask_capital' }, b);
    await old.stream.until(() => notified(old.stream.messages, 'sampling/createMessage').length === 1);
    const [question] = notified(old.stream.messages, 'sampling/createMessage');
    const result = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Paris' } };
    expect((await old.post({ jsonrpc: '2.0', id: question.id, result }, { node: a }).finished()).status).toBe(202);
    expect(JSON.parse((await old.answer(asking)).result.content[0].text).capital.result).toEqual(result);
    const form = await old.call('ask_name');
    expect(form.result.isError).toBe(true);
    expect(form.result.content[0].text).toContain('elicitation needs a client of 2025-06-18 or later');
  });

  it('tells a tracer an answer as what it is, on the node that shows it', async () => {
    const told: TracedMessage[] = [];
    const tracer = { message: (_session: SessionKey, message: TracedMessage) => void told.push(message), ended() {} };
    const { a, client } = twoNodes(remote, { tracer });
    const old = client();
    await old.open(a);
    const { id } = await old.call('add', { a: 1, b: 2 });
    const answers = told.filter(({ direction, requestId }) => direction === 'server' && requestId === id);
    expect(answers).toEqual([{ direction: 'server', kind: 'response', requestId: id, bytes: expect.any(Number) }]);
  });

  it('keeps level, state and revision on every node', async () => {
    const { a, b, client } = twoNodes(remote);
    const old = client();
    await old.open(a);
    await old.request('logging/setLevel', { level: 'error' }, a);
    await old.call('log', { level: 'info' });
    expect(notified(old.stream.messages, 'notifications/message')).toEqual([]);
    await old.call('log', { level: 'error' });
    expect(notified(old.stream.messages, 'notifications/message')).toHaveLength(1);
    const counts = [a, b, a].map((node) => old.request('tools/call', { name: 'count', arguments: {} }, node));
    const texts = (await Promise.all(counts)).map(({ result }) => result.content[0].text);
    expect(texts.sort()).toEqual(['1', '2', '3']);
    await b.changed('fixture', { kind: 'list', list: 'tools' }, old.host.snapshot.settings);
    await old.stream.until(() => notified(old.stream.messages, 'notifications/tools/list_changed').length === 1);
  });

  it('says nothing before initialize, whatever changes', async () => {
    const { a, b, client } = twoNodes(remote);
    const old = client();
    await old.connect(a);
    await b.changed('fixture', { kind: 'list', list: 'tools' }, old.host.snapshot.settings);
    await b.changed('fixture', { kind: 'message', level: 'error', data: 'x' }, old.host.snapshot.settings);
    await turnOver();
    expect(old.stream.frames).toHaveLength(1);
  });
});

describe('HTTP+SSE', () => {
  it('is not there for a server without sessions, nor for who takes no streams', async () => {
    const { a, client } = twoNodes();
    for (const settings of [{ sessions: false }, { legacy: false }]) {
      const none = client({}, settings);
      expect([(await none.connect(a)).status, none.stream.message.error.code]).toEqual([404, -32600]);
      expect((await none.post(ping, { sessionId: 'x' }).finished()).status).toBe(404);
    }
    expect((await client().connect(a, { accept: 'application/json' })).status).toBe(406);
  });

  it('counts under the caps of all sessions, and refuses with 429 (TEN-01)', async () => {
    const { a, client } = twoNodes();
    const first = client({}, { maxSessions: 1 });
    await first.connect(a);
    const second = client({}, { maxSessions: 1 });
    const refused = await second.connect(a);
    expect([refused.status, refused.headers['retry-after'], refused.message.error.code]).toEqual([429, '30', -32603]);
    const capped = client({ sessionCaps: [{ scope: 'fixture', max: 1 }] });
    expect((await capped.connect(a)).status).toBe(429);
    first.stream.disconnect();
    expect((await second.connect(a)).status).toBe(200);
  });

  it('answers a refusal of the host on the POST, and tells it as its own era', async () => {
    const { a, client } = twoNodes();
    const records: CallRecord[] = [];
    const refusal = { status: 429, code: -31429, message: 'Slow down', headers: { 'retry-after': '7' } };
    const limit = (method: string) => (method === 'tools/call' ? refusal : undefined);
    for (const beforeCall of [limit, async (method: string) => limit(method)]) {
      const old = client({ hooks: { beforeCall, afterCall: (record) => void records.push(record) } });
      await old.open(a);
      const call = { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'add' } };
      const answer = await old.post(call).finished();
      expect([answer.status, answer.headers['retry-after'], answer.message]).toEqual([
        429,
        '7',
        { jsonrpc: '2.0', id: 9, error: { code: -31429, message: 'Slow down' } },
      ]);
      await old.request('ping');
      expect(old.stream.messages.filter(({ id }) => id === 9)).toEqual([]);
      const { era, status, sessionId, revision } = records.findLast(({ tool }) => tool === 'add') as CallRecord;
      expect([era, status, sessionId, revision]).toEqual(['http+sse', 'refused', old.sessionId, '2024-11-05']);
    }
  });

  it('has no part in the sessions of the endpoint, nor they in it', async () => {
    const { a, b, client, snapshot } = twoNodes();
    const old = client();
    await old.open(a);
    const modern = new ScriptedClient(b, { snapshot });
    modern.sessionId = old.sessionId;
    expect((await modern.request('ping').finished()).status).toBe(404);
    expect((await modern.get().finished()).status).toBe(404);
    expect((await modern.delete().finished()).status).toBe(404);
    expect((await old.request('ping')).result).toEqual({});
    await modern.open();
    expect((await old.post(ping, { sessionId: modern.sessionId as string }).finished()).status).toBe(404);
    expect((await sessionsOf(b, 'fixture')).map(({ transport }) => transport).sort()).toEqual([
      'http+sse',
      'streamable-http',
    ]);
  });

  it('comments on a silent stream, and says nothing else (SSE-01)', async () => {
    const { a, client, clock } = twoNodes();
    const old = client();
    await old.connect(a);
    await clock.advance(15_000);
    await clock.advance(15_000);
    expect(old.stream.frames.slice(1)).toEqual([{ comment: 'keep-alive' }, { comment: 'keep-alive' }]);
  });
});
