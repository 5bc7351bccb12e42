import { describe, expect, it } from 'vitest';
import { createMcpEndpoint, type EndpointOptions } from '../../create-endpoint.js';
import type { CallRecord } from '../../dispatch/host.js';
import type { ServerSettings } from '../../ports/catalogue.js';
import { InputNeeded } from '../../ports/tool-runner.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTool, fixtureTools, Gate, text } from '../../testing/fixture-server.js';
import type { Json } from '../../testing/json.js';
import type { RecordingResponder } from '../../testing/recording-responder.js';
import { type RequestHeaders, ScriptedClient } from '../../testing/scripted-client.js';

interface SetUp {
  revision?: string;
  settings?: Partial<ServerSettings>;
  limits?: EndpointOptions['limits'];
}

async function setUp({ revision = '2025-03-26', settings, limits }: SetUp = {}) {
  const clock = new FakeClock();
  const gate = new Gate();
  const effects: number[] = [];
  const records: CallRecord[] = [];
  const effect = fixtureTool('effect', ({ n = 0 }) => {
    effects.push(n);
    return text(`effect ${n}`);
  });
  const large = fixtureTool('large', ({ length }) => text('x'.repeat(length)));
  const snapshot = fixtureSnapshot([...fixtureTools(gate), effect, large], settings);
  const endpoint = createMcpEndpoint({ clock, limits });
  const client = new ScriptedClient(endpoint, { snapshot, host: { hooks: { afterCall: (r) => records.push(r) } } });
  await client.open(revision);
  records.length = 0;
  const batch = (messages: Json, headers: RequestHeaders = {}) =>
    client.post(messages, { ...client.sessionHeaders, ...headers });
  return { client, clock, gate, endpoint, effects, records, batch };
}

const request = (id: string | number, method: string, params?: object) => ({ jsonrpc: '2.0', id, method, params });
const call = (id: string | number, name: string, args: object = {}, meta?: object) =>
  request(id, 'tools/call', { name, arguments: args, ...(meta ? { _meta: meta } : {}) });
const cancel = (requestId: string | number) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
const JSON_ONLY = { accept: 'application/json' };

/** What an answer says, short: its id and text, or its id and error code. */
const said = ({ id, result, error }: Json) => [id, error?.code ?? result?.content?.[0]?.text ?? Object.keys(result)[0]];
const answers = ({ messages }: RecordingResponder) => messages.filter((message) => !('method' in message)).map(said);

describe('a batch in a session of 2025-03-26', () => {
  it('is run, one answer a request and in their order, as one JSON array (wire B9, RPC-06)', async () => {
    const { batch, effects } = await setUp();
    const answer = batch([
      request(1, 'tools/list'),
      call('b', 'effect', { n: 7 }),
      INITIALIZED,
      call(3, 'crash_later'),
      request(4, 'nope'),
      call(5, 'add', { a: 1, b: 2 }),
    ]);
    await answer.finished();
    expect([answer.status, answer.headers['content-type'] ?? 'json', answer.streaming]).toEqual([200, 'json', false]);
    expect(answer.message.map(said)).toEqual([
      [1, 'tools'],
      ['b', 'effect 7'],
      [3, -32603],
      [4, -32601],
      [5, '3'],
    ]);
    expect(effects).toEqual([7]);
  });

  it('keeps each id and its JSON type (RPC-01, wire B5)', async () => {
    const { batch } = await setUp();
    const ids = ['1', 1, 0, '', 'a/b', -5];
    const answer = await batch(ids.map((id) => request(id, 'ping'))).finished();
    expect(answer.message.map(({ id }: Json) => id)).toEqual(ids);
  });

  it('without a request inside is accepted with 202 and no body (wire B4, wire B9)', async () => {
    const { batch } = await setUp();
    const told = batch([INITIALIZED, { jsonrpc: '2.0', method: 'notifications/whatever' }]);
    expect([told.status, told.body, told.done]).toEqual([202, undefined, true]);
    const answered = batch([
      { jsonrpc: '2.0', id: 'q1', result: {} },
      { jsonrpc: '2.0', id: 'q2', error: { code: -1, message: 'no' } },
    ]);
    expect([answered.status, answered.body, answered.done]).toEqual([202, undefined, true]);
  });

  it('answers each invalid element with its own error while the sound ones run (wire B9, seed A2, seed A4, RPC-02)', async () => {
    const { client, effects } = await setUp();
    const body = `[7, ${JSON.stringify(call(1, 'effect'))}, [], {"jsonrpc":"1.0","id":"x","method":"ping"},
      {"jsonrpc":"2.0","id":2.0,"method":"ping"}, {"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}]`;
    const headers = { 'content-type': 'application/json', accept: 'application/json', ...client.sessionHeaders };
    const answer = client.raw('POST', headers, body);
    expect(answer.status).toBe(200);
    expect(answer.message.map(said)).toEqual([
      [undefined, -32600],
      [1, 'effect 0'],
      [undefined, -32600],
      ['x', -32600],
      [undefined, -32600],
      [undefined, -32600],
    ]);
    expect(effects).toHaveLength(1);
    const nothingSound = client.raw('POST', headers, '[1,2]');
    expect([nothingSound.status, nothingSound.message.length]).toEqual([400, 2]);
  });

  it('gives two requests with one id their own answers in their order, as array and as stream (RPC-03)', async () => {
    const { batch, gate } = await setUp();
    const array = batch([call(1, 'block'), call(1, 'effect', { n: 2 })], JSON_ONLY);
    await gate.entered();
    gate.open();
    expect((await array.finished()).message.map(said)).toEqual([
      [1, 'let through'],
      [1, 'effect 2'],
    ]);
    const stream = batch([call(1, 'speak_and_block'), call(1, 'effect', { n: 2 }), call(2, 'effect', { n: 3 })]);
    await gate.entered(2);
    await stream.until(() => answers(stream).length === 1);
    expect(answers(stream)).toEqual([[2, 'effect 3']]);
    gate.open();
    await stream.finished();
    expect(answers(stream)).toEqual([
      [2, 'effect 3'],
      [1, 'let through'],
      [1, 'effect 2'],
    ]);
  });

  it('tells the books of each request on its own, and of nothing else', async () => {
    const { batch, records } = await setUp();
    await batch([call(1, 'add', { a: 1, b: 2 }), call(2, 'boom'), call(3, 'crash'), INITIALIZED, 7]).finished();
    expect(records.map(({ tool, status, revision }) => [tool, status, revision])).toEqual([
      ['add', 'ok', '2025-03-26'],
      ['boom', 'tool_error', '2025-03-26'],
      ['crash', 'error', '2025-03-26'],
    ]);
  });
});

describe('a batch as a stream', () => {
  it('opens for what precedes an answer, is one stream with ids, and ends after the last answer (wire B7, wire B10)', async () => {
    const { batch, gate } = await setUp();
    const answer = batch([
      call(1, 'effect', { n: 1 }),
      call(2, 'progress', { steps: 2 }, { progressToken: 'p' }),
      call(3, 'block'),
      call(4, 'log', { data: 'hello' }),
    ]);
    await answer.until(() => answers(answer).length === 3);
    expect(answer.done).toBe(false);
    gate.open();
    await answer.finished();
    const progress = answer.messages.filter(({ method }) => method === 'notifications/progress');
    expect(progress.map(({ params }) => params.progress)).toEqual([1, 2]);
    expect(answer.messages.filter(({ method }) => method === 'notifications/message')).toHaveLength(1);
    expect(answers(answer)[0]).toEqual([1, 'effect 1']);
    expect(answers(answer)).toHaveLength(4);
    expect(answers(answer).at(-1)).toEqual([3, 'let through']);
    const ids = answer.frames.map(({ id }) => id);
    expect(new Set(ids).size).toBe(7);
    expect(new Set(ids.map((id) => id?.split('.')[0])).size).toBe(1);
  });

  it('opens when silence lasts, keeps what was answered before, and says the rest as it comes (SSE-05)', async () => {
    const { batch, gate, clock } = await setUp({ settings: { keepAliveMs: 4_000 } });
    const answer = batch([call(1, 'block'), call(2, 'effect')]);
    await gate.entered();
    expect(answer.streaming).toBe(false);
    clock.advance(4_000);
    expect(answers(answer)).toEqual([[2, 'effect 0']]);
    gate.open();
    await answer.finished();
    expect(answers(answer).at(-1)).toEqual([1, 'let through']);
  });

  it('is had by clients that do not take JSON', async () => {
    const { batch } = await setUp();
    const answer = await batch([call(1, 'effect'), 7], { accept: 'text/event-stream' }).finished();
    expect(answers(answer)).toEqual([
      [1, 'effect 0'],
      [undefined, -32600],
    ]);
    const told = batch([INITIALIZED], { accept: 'text/event-stream' });
    expect([told.status, told.streaming]).toEqual([202, false]);
  });

  it('goes on without its client, who resumes it from any event to its end (wire B11, wire B14)', async () => {
    const { client, batch, gate } = await setUp();
    const answer = batch([call(1, 'speak_and_block'), call(2, 'effect'), call(3, 'block')]);
    await gate.entered(2);
    const first = answer.frames[0]?.id;
    answer.disconnect();
    expect(gate.signals.some(({ aborted }) => aborted)).toBe(false);
    const resumed = client.get({ 'last-event-id': first });
    await resumed.until(() => answers(resumed).length === 1);
    gate.open();
    await resumed.finished();
    expect(answers(resumed).map(([id]) => id)).toEqual(expect.arrayContaining([1, 2, 3]));
    expect(resumed.messages.filter(({ method }) => method)).toHaveLength(1);
  });

  it('is not opened for clients that take JSON only; what precedes the answers is dropped (seed J2)', async () => {
    const { batch } = await setUp();
    const answer = await batch([call(1, 'log'), call(2, 'progress', {}, { progressToken: 1 })], JSON_ONLY).finished();
    expect(answer.message.map(said)).toEqual([
      [1, 'logged'],
      [2, 'done'],
    ]);
  });
});

describe('questions of a batch', () => {
  const messages = [{ role: 'user', content: { type: 'text', text: 'two and two?' } }];
  const sampling = { method: 'sampling/createMessage' as const, params: { messages, maxTokens: 1 } };
  const asks = fixtureTool('asks', (_args, { inputs }) => {
    const answer = inputs.answers.q;
    return answer === undefined ? new InputNeeded({ q: sampling }) : text(JSON.stringify(answer));
  });

  async function asking() {
    const records: CallRecord[] = [];
    const client = new ScriptedClient(createMcpEndpoint({ clock: new FakeClock() }), {
      snapshot: fixtureSnapshot([asks]),
      host: { hooks: { afterCall: (record) => records.push(record) } },
    });
    await client.open('2025-03-26', { sampling: {} });
    records.length = 0;
    return { records, batch: (batched: Json) => client.post(batched, client.sessionHeaders) };
  }

  it('are asked on its stream, and their answers may come as a batch too (wire B28)', async () => {
    const { batch } = await asking();
    const answer = batch([call(1, 'asks'), call(2, 'asks')]);
    const questions = () => answer.messages.filter(({ method }) => method === 'sampling/createMessage');
    await answer.until(() => questions().length === 2);
    const model = { role: 'assistant', content: { type: 'text', text: 'four' }, model: 'm' };
    const given = batch(questions().map(({ id }) => ({ jsonrpc: '2.0', id, result: model })));
    expect([given.status, given.body]).toEqual([202, undefined]);
    await answer.finished();
    expect(answers(answer).map(([id, words]) => [id, JSON.parse(words)])).toEqual([
      [1, { result: model }],
      [2, { result: model }],
    ]);
  });

  it('are not waited for once the client cannot hear them', async () => {
    const { batch, records } = await asking();
    batch([call(1, 'asks')]).disconnect();
    while (records.length === 0) await null;
    expect(records).toMatchObject([{ tool: 'asks', status: 'tool_error' }]);
  });
});

describe('a batch that is illegal', () => {
  const refused = (answer: RecordingResponder) => [answer.status, answer.message.error.code, 'id' in answer.message];

  it('as a whole is 400 -32600 and runs nothing (wire B9, RPC-06)', async () => {
    const { batch, effects } = await setUp();
    const effect = call(1, 'effect');
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const illegal: Json[] = [
      [],
      [effect, request(0, 'initialize', { protocolVersion: '2025-03-26' })],
      [effect, { jsonrpc: '2.0', id: 'q', result: {} }],
      [effect, request(2, 'tools/list', { _meta: meta })],
      Array.from({ length: 51 }, (_, at) => call(at, 'effect')),
    ];
    for (const messages of illegal) expect(refused(batch(messages))).toEqual([400, -32600, false]);
    expect(refused(batch([effect], { 'mcp-protocol-version': '2026-07-28' }))).toEqual([400, -32600, false]);
    expect(effects).toEqual([]);
  });

  it('in any other revision, or without a session, is 400 -32600 and runs nothing (seed A5, wire B9, wire C9)', async () => {
    for (const revision of ['2025-06-18', '2025-11-25']) {
      const { batch, effects } = await setUp({ revision });
      expect(refused(batch([call(1, 'effect')]))).toEqual([400, -32600, false]);
      expect(effects).toEqual([]);
    }
    const { batch, effects } = await setUp();
    expect(refused(batch([call(1, 'effect')], { 'mcp-session-id': undefined }))).toEqual([400, -32600, false]);
    expect(effects).toEqual([]);
    const sessionless = await setUp({ settings: { sessions: false } });
    expect(refused(sessionless.batch([call(1, 'effect')]))).toEqual([400, -32600, false]);
  });

  it('because its session is unknown is 404, as every request (wire B2)', async () => {
    const { batch } = await setUp();
    expect(refused(batch([call(1, 'effect')], { 'mcp-session-id': 'f'.repeat(32) }))).toEqual([404, -32600, false]);
  });

  it('takes its length from the limits of the endpoint', async () => {
    const { batch } = await setUp({ limits: { batchLength: 2 } });
    expect(batch([call(1, 'effect'), call(2, 'effect')]).status).toBe(200);
    expect(refused(batch([call(1, 'effect'), call(2, 'effect'), INITIALIZED]))).toEqual([400, -32600, false]);
  });
});

describe('what holds for single requests', () => {
  it('holds for each of a batch: how many may be pending (seed N3)', async () => {
    const { batch, gate } = await setUp({ settings: { pendingMax: 2 } });
    const answer = batch([call(1, 'block'), call(2, 'block'), call(3, 'block'), call(4, 'block')], JSON_ONLY);
    await gate.entered(2);
    gate.open();
    expect((await answer.finished()).message.map(said)).toEqual([
      [1, 'let through'],
      [2, 'let through'],
      [3, -32603],
      [4, -32603],
    ]);
  });

  it('holds for each of a batch: calls with state take turns (seed N2)', async () => {
    const { batch } = await setUp();
    const answer = await batch([1, 2, 3, 4].map((id) => call(id, 'count'))).finished();
    expect(answer.message.map(said)).toEqual([1, 2, 3, 4].map((id) => [id, String(id)]));
  });

  it('holds for each of a batch: a cancel ends one without an answer, also from inside the batch (wire B24, seed O1)', async () => {
    const { client, batch, gate, records, effects } = await setUp();
    const answer = batch([call(1, 'block'), call(2, 'effect'), call(3, 'block'), cancel(3)], JSON_ONLY);
    await gate.entered(2);
    expect(gate.signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    client.notify('notifications/cancelled', { requestId: 1 });
    expect((await answer.finished()).message.map(said)).toEqual([[2, 'effect 0']]);
    expect(records.map(({ status }) => status).sort()).toEqual(['cancelled', 'cancelled', 'ok']);
    for (const messages of [
      [call(5, 'block'), cancel(5)],
      [cancel(6), call(6, 'effect')],
    ]) {
      const all = batch(messages);
      expect([all.status, all.body, all.done]).toEqual([202, undefined, true]);
    }
    expect(effects).toHaveLength(1);
  });

  it('holds for each of a batch: the end of the session (seed Q3, seed N5)', async () => {
    const { client, batch, gate } = await setUp();
    const array = batch([call(1, 'effect'), call(2, 'block')], JSON_ONLY);
    const stream = batch([call(3, 'speak_and_block'), call(4, 'block')]);
    await gate.entered(3);
    await client.delete().finished();
    expect((await array.finished()).message.map(said)).toEqual([
      [1, 'effect 0'],
      [2, -32603],
    ]);
    await stream.finished();
    expect(answers(stream)).toEqual([]);
    expect(gate.signals.every(({ aborted }) => aborted)).toBe(true);
  });

  it('holds for each of a batch: the server goes away', async () => {
    const { batch, gate, endpoint, clock } = await setUp();
    const array = batch([call(1, 'effect'), call(2, 'block')], JSON_ONLY);
    const stream = batch([call(3, 'speak_and_block'), call(4, 'block')]);
    await gate.entered(3);
    expect(endpoint.load.inFlight).toBe(3);
    const closed = endpoint.close({ graceMs: 1_000 });
    await Promise.resolve();
    await Promise.resolve();
    clock.advance(1_000);
    await closed;
    expect((await array.finished()).message.map(said)).toEqual([
      [1, 'effect 0'],
      [2, -32603],
    ]);
    expect(answers(await stream.finished())).toEqual([
      [3, -32603],
      [4, -32603],
    ]);
  });

  it('holds for each of a batch: a client that leaves cancels nothing (wire B14, CAN-02)', async () => {
    const { batch, gate, records } = await setUp();
    batch([call(1, 'block'), call(2, 'block')]).disconnect();
    await gate.entered(2);
    gate.open();
    while (records.length < 2) await null;
    expect(records.map(({ status }) => status)).toEqual(['ok', 'ok']);
  });

  it('bounds what the answers of a batch take together, by streaming or by an error that says so', async () => {
    const { batch } = await setUp({ limits: { resultLength: 2_000 } });
    const three = [1, 2, 3].map((id) => call(id, 'large', { length: 900 }));
    const array = await batch(three, JSON_ONLY).finished();
    expect(array.message.map(({ error }: Json) => error?.message)).toEqual([
      undefined,
      undefined,
      'The answers of this batch are too large together; the limit is 2000 characters',
    ]);
    const stream = await batch(three).finished();
    expect(stream.messages.map(({ result }) => result.content[0].text.length)).toEqual([900, 900, 900]);
  });
});
